// Owns schemas with two forms whose refusals are about the form that was meant.
import { z } from 'zod'

/** One form or the other; `isOther` tells from what was sent which one is meant, and a refusal is about that one. */
export function eitherForm<One extends z.ZodType, Other extends z.ZodType>(
  one: One,
  other: Other,
  isOther: (sent: unknown) => boolean,
) {
  return z.union([one, other], {
    error(issue) {
      const forms = issue.errors as z.core.$ZodIssue[][]
      return z.prettifyError({ issues: forms[isOther(issue.input) ? 1 : 0] ?? [] })
    },
  })
}
