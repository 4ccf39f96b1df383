// Owns the reference of the control API: its OpenAPI document, from the table of routes.
import { z } from 'zod'
import { SANDBOX_ERRORS } from '../contract/errors.ts'
import { failureAnswers, openApiDocument } from '../contract/openapiDocument.ts'
import { CONTROL_BASE } from './controlApp.ts'
import { COMMON_CONTROL_ERRORS } from './route.ts'
import { CONTROL_ROUTES } from './routes.ts'
import type { OpenApiDocument, OperationSpec } from '../contract/openapiDocument.ts'
import type { ControlRoute } from './route.ts'

const TAGS = [
  { name: 'Server', description: 'Health, and what this server is.' },
  {
    name: 'Worlds',
    description: 'Isolated copies of the gateway, each with keys, clock and records of its own.',
  },
  {
    name: 'Time',
    description: 'The clock of a world, the work that waits for it, and waiting until all is done.',
  },
  { name: 'Records', description: 'Everything a world holds, as stored, and the triggers of its machines.' },
  { name: 'Money', description: 'Postings, balances, test money and disputes.' },
  { name: 'Faults', description: 'Misbehaviour that fires when a test wants it.' },
  { name: 'Rules', description: 'What a world does by itself when something happens in it.' },
  { name: 'Webhooks', description: 'What was sent to receivers, and receivers inside the sandbox.' },
  { name: 'Watching', description: 'Calls to the gateway with their answers, and what happens, live.' },
  { name: 'Scenarios', description: 'Stories in files, played step by step.' },
  { name: 'Knobs', description: 'What a world answers where the interface is silent.' },
]

const SECURITY = 'controlToken'

/** The OpenAPI 3.1 document of the control API. */
export function controlOpenApi({
  serverUrl,
  version,
}: {
  serverUrl: string
  version: string
}): OpenApiDocument {
  return openApiDocument({
    info: {
      title: 'gateway-sandbox control API',
      version,
      description:
        'Everything a test can do to the sandbox, from any language. Routes of a world mean the world `default`; the same routes stand under `/_sandbox/worlds/{world}`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: TAGS,
    securitySchemes: {
      [SECURITY]: {
        type: 'http',
        scheme: 'bearer',
        description: 'The control token, when the server was started with one.',
      },
    },
    headers: {
      'X-Sandbox-World': { description: 'The world that answered.', schema: z.string(), required: true },
      'X-Sandbox-Now': { description: 'What its clock shows.', schema: z.iso.datetime(), required: true },
      'X-Sandbox-Hint': { description: 'What to do.', schema: z.string(), required: true },
    },
    operations: CONTROL_ROUTES.flatMap(operationsOf),
  })
}

/** A route of a world stands twice: for the default world, and for one that the path names. */
function operationsOf(row: ControlRoute): OperationSpec[] {
  const plain = operationOf(row, CONTROL_BASE + row.path)
  if (row.scope === 'server') return [plain]
  const world = z.object({ world: z.string().meta({ description: 'id of the world' }) })
  const named = operationOf(row, `${CONTROL_BASE}/worlds/{world}${row.path}`)
  return [plain, { ...named, id: `${row.id}InWorld`, params: world.extend(row.params.shape) }]
}

function bodyOf({ body, textTypes }: ControlRoute): OperationSpec['body'] {
  if (body === null) return null
  return { schema: body, contentTypes: textTypes ?? ['application/json'], required: textTypes !== null }
}

function operationOf(row: ControlRoute, path: string): OperationSpec {
  const codes = [...new Set([...COMMON_CONTROL_ERRORS, ...row.errors])]
  const failures = codes
    .map((code) => ({ code, ...SANDBOX_ERRORS[code] }))
    .filter(({ status }) => status !== row.failure?.status)
  const hasBody = row.answer.def.type !== 'null'
  return {
    id: row.id,
    method: row.method,
    path,
    tag: row.tag,
    summary: row.summary,
    description: row.open
      ? 'Open also when the server has a control token.'
      : 'Asks for the control token, when there is one.',
    security: row.open ? [] : [SECURITY],
    params: row.params,
    query: row.query,
    body: bodyOf(row),
    answers: [
      {
        status: row.status,
        description: 'Done.',
        schema: hasBody ? row.answer : null,
        contentType: row.answerType,
        textTypes: row.answerTexts,
        headers: row.scope === 'world' ? ['X-Sandbox-World', 'X-Sandbox-Now'] : [],
      },
      ...failureAnswers(failures, () => ['X-Sandbox-Hint']),
      ...(row.failure ? [{ ...row.failure, headers: ['X-Sandbox-World', 'X-Sandbox-Now'] }] : []),
    ],
  }
}
