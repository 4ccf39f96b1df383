// What a program of a merchant does with the package, however it came by it; says what is left when the sandbox is closed.
const { setImmediate: turn } = require('node:timers/promises')

/** @param {typeof import('gateway-sandbox')} library */
module.exports = async function pay({ startSandbox, verifySignature }) {
  const before = process.getActiveResourcesInfo()
  const sandbox = await startSandbox({ clock: '2030-01-01T12:00:00Z' })
  const world = await sandbox.world()
  const inbox = world.inbox('shop')
  const heard = hear(world)

  // Over a socket, as a merchant's code does.
  const { accessToken } = await post(world, '/v1/auth/token', {
    publicKey: world.publicKey,
    secretKey: world.secretKey,
  })
  const sale = { method: 'Pix', amount: 12_990, callbackUrl: inbox.url }
  const charge = await post(world, '/v1/transactions', sale, accessToken)
  await world.trigger(charge.id, 'confirm')
  const hook = await inbox.next('payment.completed')
  await world.clock.advance('31m')

  // What would hold a process open: a clock that flows with work that waits for it, an answer that is never given, and
  // somebody who listens.
  await world.inbox('slow').script([204], { delayMs: 600_000 })
  const late = await post(
    world,
    '/v1/transactions',
    { ...sale, callbackUrl: world.inbox('slow').url },
    accessToken,
  )
  await world.clock.flow()
  await world.trigger(late.id, 'fail')
  await sandbox.close()
  const kinds = await heard
  // Node frees what was closed at the end of a turn, and hears in the next ones of the ends of others.
  for (let turns = 0; turns < 5; turns += 1) await turn()

  return {
    status: hook.json.data.status,
    verified: verifySignature(hook.body, hook.headers, charge.id),
    forged: verifySignature(`${hook.body} `, hook.headers, charge.id),
    heard: kinds.length > 0,
    left: leftSince(before),
  }
}

/** Listens until the world ends. */
async function hear(world) {
  const kinds = []
  for await (const { kind } of world.events()) kinds.push(kind)
  return kinds
}

async function post(world, path, body, token) {
  const response = await fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const { data, error } = await response.json()
  if (error !== null) throw new Error(`${path}: ${error.code}`)
  return data
}

/** What is open now and was not open before. */
function leftSince(before) {
  const left = process.getActiveResourcesInfo()
  for (const kind of before) {
    if (left.includes(kind)) left.splice(left.indexOf(kind), 1)
  }
  return left
}
