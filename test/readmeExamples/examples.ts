// Owns finding the examples of the README by the marks that stand before their blocks.

/** One example: its files by name, and the commands that run it. */
export interface Example {
  files: Record<string, string>
  /** Empty when the page names none. */
  commands: string
}

const MARKED =
  /<!-- (?:file: (?<start>\S+)|example (?<group>\w+)(?:: (?<name>\S+))?) -->\n```\w*\n(?<text>[^]*?)```/g

/** The examples of a page by their names; `start` is the quick start, whose files are marked by `file:`. */
export function examplesOf(readme: string): Record<string, Example> {
  const examples: Record<string, Example> = {}
  for (const { groups: { start, group = 'start', name = start, text = '' } = {} } of readme.matchAll(
    MARKED,
  )) {
    const example = (examples[group] ??= { files: {}, commands: '' })
    if (name === undefined) example.commands += text
    else example.files[name] = text
  }
  return examples
}

/** Commands without those that install: what they would bring is there already. */
export function withoutInstalls(commands: string): string {
  return commands.replaceAll(/^npm (?:i|install) .*\n/gm, '')
}
