// Owns which strings are no promise: sentences for people, which may be worded anew at any time.

/** What is looked at of a place in the code. The shape is Babel's. */
export interface Place {
  node: {
    type: string
    name?: string
    value?: unknown
    callee?: { name?: string; property?: { name?: string } }
    key?: { name?: string }
    id?: { name?: string }
    properties?: Place['node'][]
    quasis?: { value: { raw: string } }[]
  }
  parentPath: Place | null
}

/** Calls that take sentences. */
const CALLS = /^(?:refuse\w*|invariant|present)$/

/** Fields and variables that hold sentences. */
const NAMES = new Set(['hint', 'message', 'description'])

/** Ways from a sentence up to what takes it: a choice between two, or two put together. */
const BETWEEN = new Set(['ConditionalExpression', 'BinaryExpression', 'LogicalExpression', 'TSAsExpression'])

/** Whether a string or a template reads as a sentence: codes and keys have no blanks. */
function isSentence({ node }: Place): boolean {
  if (node.type === 'StringLiteral') return String(node.value).includes(' ')
  return node.type === 'TemplateLiteral' && (node.quasis ?? []).some(({ value }) => value.raw.includes(' '))
}

/** Whether an object describes a field of a schema, and says nothing else. */
function isDescription({ node, parentPath }: Place): boolean {
  const [only, ...more] = node.properties ?? []
  const isAlone = only?.key?.name === 'description' && more.length === 0
  return isAlone && parentPath?.node.callee?.property?.name === 'meta'
}

function takesSentences({ node }: Place): boolean {
  switch (node.type) {
    case 'CallExpression':
      return CALLS.test(node.callee?.name ?? '')
    case 'NewExpression':
      return (node.callee?.name ?? '').endsWith('Error')
    case 'ObjectProperty':
      return NAMES.has(node.key?.name ?? '')
    case 'VariableDeclarator':
      return NAMES.has(node.id?.name ?? '')
    default:
      return false
  }
}

/**
 * Leaves out sentences that are given to a refusal, an assertion or an error, or are kept as its hint or message, and
 * descriptions of fields in schemas.
 */
export const texts = {
  shouldIgnore(place: Place): string | undefined {
    const { parentPath } = place
    const inside = parentPath?.parentPath
    if (isDescription(place) || (inside && isDescription(inside))) return 'a sentence for people'
    if (!isSentence(place)) return undefined
    let above = parentPath
    while (above && BETWEEN.has(above.node.type)) above = above.parentPath
    return above && takesSentences(above) ? 'a sentence for people' : undefined
  },
}
