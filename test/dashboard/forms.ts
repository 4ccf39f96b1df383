// Reads pages of the dashboard in tests, and fills in and sends their forms as the script of a page does.
import { valueOf } from '../../src/dashboard/assets/fields.js'
import { present } from '../../src/kernel/assert.ts'
import { pagesOf } from './pages.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

/** What no page may hold of a hostile text. */
export const UNESCAPED = /<img src=x|<script>alert/

/** A field of a form. */
export interface FormField {
  name: string
  type: string
  required: boolean
  placeholder: string
  /** The values of a select; null for a field that is typed. */
  choices: string[] | null
}

/** A form that calls the control API. */
export interface PageForm {
  id: string
  method: string
  /** Below `/_sandbox`. */
  path: string
  send: Record<string, unknown>
  fields: FormField[]
}

/** A page below the overview of the default world. */
export function pageAt(
  sandbox: Pick<TestSandbox, 'worlds'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  return pagesOf(sandbox).get(`/_sandbox/ui${path}`, headers)
}

/** The forms of a page that call the control API. */
export function formsOf(text: string): PageForm[] {
  return [...text.matchAll(/<form\s([^>]*data-send[^>]*)>([\s\S]*?)<\/form>/g)].map(
    ([, head = '', inner = '']) => ({
      id: attribute(head, 'id'),
      method: attribute(head, 'data-method'),
      path: attribute(head, 'data-action').replace(/^\/_sandbox/, ''),
      send: JSON.parse(attribute(head, 'data-send')) as Record<string, unknown>,
      fields: [...inner.matchAll(/<(input|select)\s([^>]*)>([\s\S]*?)(?=<\/label>)/g)].map(fieldOf),
    }),
  )
}

/** The form of a page that an id names. */
export function formOf(text: string, id: string): PageForm {
  return present(
    formsOf(text).find((form) => form.id === id),
    `no form ${id}`,
  )
}

function fieldOf([, element, head = '', inner = '']: RegExpMatchArray): FormField {
  const values = [...inner.matchAll(/<option value="([^"]*)"/g)].map(([, value = '']) => plain(value))
  return {
    name: attribute(head, 'name'),
    type: attribute(head, 'data-type'),
    required: /\srequired/.test(head),
    placeholder: attribute(head, 'placeholder'),
    choices: element === 'select' ? values : null,
  }
}

function attribute(head: string, name: string): string {
  return plain(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(head)?.[1] ?? '')
}

/** A text of a page without its escapes. */
export function plain(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** Sends a form with some fields filled in. */
export function submit(
  sandbox: Pick<TestSandbox, 'control'>,
  { method, path, send, fields }: PageForm,
  filled: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const body = structuredClone(send)
  for (const [name, text] of Object.entries(filled)) {
    const { type } = present(
      fields.find((field) => field.name === name),
      `no field ${name}`,
    )
    const keys = name.split('.')
    const last = keys.pop() ?? ''
    let target = body
    for (const key of keys) target = (target[key] ??= {}) as Record<string, unknown>
    target[last] = valueOf(text, type)
  }
  return sandbox.control(method, path, body)
}

/** What a person has to fill in: required fields, with what stands in them as an example or the first choice. */
export function needed({ fields }: PageForm): Record<string, string> {
  return Object.fromEntries(
    fields
      .filter(({ required }) => required)
      .map(({ name, choices, placeholder }) => [
        name,
        choices?.find((value) => value !== '') ?? (placeholder || '5'),
      ]),
  )
}
