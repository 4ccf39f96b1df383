// Owns fields that follow from a schema: every way in which a value can be filled in, as what is sent and what is typed.
import { z } from 'zod'
import type { Choice, Field } from './parts.ts'

/** One way to fill in a value. */
export interface Way {
  /** Parts that are sent as they are, by the name of their field. */
  fixed: readonly (readonly [name: string, value: unknown])[]
  fields: readonly Field[]
}

/** How fields come out. */
export interface FieldOptions {
  /** What a field holds as an example; undefined for none. */
  example: (name: string) => unknown
  /** Whether fields must be filled in where the schema says so. */
  strict: boolean
}

/**
 * The ways to fill in a value of a schema.
 * @param name of the field, as `a.b`
 */
export function waysOf(schema: z.ZodType, name: string, options: FieldOptions): Way[] {
  if (schema instanceof z.ZodOptional) {
    return waysOf(schema.unwrap() as z.ZodType, name, { ...options, strict: false })
  }
  if (schema instanceof z.ZodUnion) return waysOfUnion(schema.options as z.ZodType[], name, options)
  if (schema instanceof z.ZodObject) {
    const parts = Object.entries<z.ZodType>(schema.shape)
    return crossed(parts.map(([key, part]) => waysOf(part, name === '' ? key : `${name}.${key}`, options)))
  }
  if (schema instanceof z.ZodLiteral && schema.values.size === 1) {
    return [{ fixed: [[name, [...schema.values][0]]], fields: [] }]
  }
  return [{ fixed: [], fields: [fieldOf(schema, name, options)] }]
}

/** Objects with the same fields are one way in which none must be filled in. */
function waysOfUnion(parts: readonly z.ZodType[], name: string, options: FieldOptions): Way[] {
  const [first] = parts
  const keys = (part: z.ZodType): string =>
    part instanceof z.ZodObject ? Object.keys(part.shape).toSorted().join() : ''
  if (first instanceof z.ZodObject && parts.every((part) => keys(part) === keys(first))) {
    return waysOf(first, name, { ...options, strict: false }).map(({ fixed, fields }) => ({
      fixed,
      fields: fields.map((field) => ({ ...field, required: false })),
    }))
  }
  return parts.flatMap((part) => waysOf(part, name, options))
}

/** Every way of the first part with every way of the next, and so on. */
function crossed(parts: readonly (readonly Way[])[]): Way[] {
  return parts.reduce<Way[]>(
    (all, ways) =>
      all.flatMap(({ fixed, fields }) =>
        ways.map((way) => ({ fixed: [...fixed, ...way.fixed], fields: [...fields, ...way.fields] })),
      ),
    [{ fixed: [], fields: [] }],
  )
}

function fieldOf(schema: z.ZodType, name: string, { example, strict }: FieldOptions): Field {
  const label = name.slice(name.indexOf('.') + 1)
  const known = example(name)
  const values = valuesOf(schema)
  if (values) {
    const empty: Choice[] = strict ? [] : [{ value: '', label: '–' }]
    const chosen = values.map((value) => ({ value: String(value), selected: strict && value === known }))
    return { name, label, type: 'value', required: strict, choices: [...empty, ...chosen] }
  }
  const type = schema instanceof z.ZodNumber ? 'number' : 'text'
  const fits = typeof known === (type === 'number' ? 'number' : 'string')
  const placeholder = fits ? String(known) : ''
  return { name, label, type, required: strict, placeholder }
}

/** The values that are chosen from; null where anything can be typed. */
function valuesOf(schema: z.ZodType): readonly unknown[] | null {
  if (schema instanceof z.ZodEnum) return schema.options
  if (schema instanceof z.ZodLiteral) return [...schema.values]
  return schema instanceof z.ZodBoolean ? [true, false] : null
}

/** Parts by their names, such as `a.b`, put together. */
export function sentWith(
  begun: Readonly<Record<string, unknown>>,
  parts: Way['fixed'],
): Record<string, unknown> {
  const sent = structuredClone(begun)
  for (const [name, value] of parts) {
    const path = name.split('.')
    const last = path.pop() ?? ''
    let target: Record<string, unknown> = sent
    for (const key of path) {
      target[key] ??= {}
      target = target[key] as Record<string, unknown>
    }
    target[last] = value
  }
  return sent
}
