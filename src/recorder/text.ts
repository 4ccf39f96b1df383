// Owns the text of a recording: YAML as people write scenarios, with what is to be said as comments.
import { Document, isCollection, visit } from 'yaml'
import type { YAMLMap } from 'yaml'
import type { RecordedStep } from './recording.ts'

/** Longest collection that stands on one line, in characters. */
const LINE = 100
/** The schema as an editor finds it in a project that has the package. */
const SCHEMA = './node_modules/gateway-sandbox/dist/scenario.schema.json'

/** What a file is made of. */
export interface RecordedFile {
  /** Lines of its first comment, under the one that names the schema. */
  about: readonly string[]
  head: Record<string, unknown>
  steps: readonly RecordedStep[]
}

/** The text of a file. */
export function recordingText({ about, head, steps }: RecordedFile): string {
  const document = new Document(head)
  const written: YAMLMap[] = []
  let told: string[] = []
  for (const { step, comment } of steps) {
    if (comment !== null) told.push(` ${comment}`)
    if (step === null) continue
    const node = document.createNode(step) as YAMLMap
    if (told.length > 0) node.commentBefore = told.join('\n')
    told = []
    node.flow = false
    written.push(node)
  }
  const list = document.createNode([])
  list.items = written as never
  if (told.length > 0) list.comment = told.join('\n')
  if (steps.length > 0) document.set('steps', list)
  onOneLine(document)
  const comment = [`# yaml-language-server: $schema=${SCHEMA}`, ...about.map((line) => `# ${line}`.trimEnd())]
  return `${comment.join('\n')}\n${document.toString({ lineWidth: 0, flowCollectionPadding: true })}`
}

/** Puts what is short on one line, but for the file itself, its lists, and the steps. */
function onOneLine(document: Document): void {
  visit(document, {
    Collection(_, node, path) {
      if (node.flow === false || path.filter(isCollection).length < 2) return
      if (JSON.stringify(node).length <= LINE) node.flow = true
    },
  })
}
