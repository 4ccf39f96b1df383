// Owns playing disputes: opening one, and answering it with a text or a file.
import * as bodies from '../../properties/bodies.ts'
import { addEvidence, openDispute, respond } from './disputes.ts'
import { pathOf, pick } from './picking.ts'
import type { Call } from '../../properties/calls.ts'
import type { Asking } from './asking.ts'
import type { AnswerForm } from './disputes.ts'
import type { ModelWorld } from './world.ts'

const LENGTHS: Readonly<Record<string, number>> = { '1h': 3_600_000, '3d': 259_200_000, '30d': 2_592_000_000 }

/** Opens a dispute. */
export async function dispute(
  asking: Asking,
  world: ModelWorld,
  call: Call & { do: 'dispute' },
): Promise<void> {
  const { place, id, said, found } = pick(world.life, 'transactions', call.nth)
  const sale = world.life.transactions[place]
  const carried = {
    ...bodies.amountField(call.amount, sale ? sale.amount - sale.refunded : 0),
    ...(call.deadline === null ? {} : { deadline: call.deadline }),
  }
  const as = `dispute${world.life.disputes.length}`
  await asking.control(
    world,
    'POST',
    '/disputes',
    { paymentId: id, ...carried },
    {
      name: 'POST /disputes',
      step: found ? { trigger: { on: said, do: 'open', ...carried }, as } : undefined,
      model(at) {
        if (!found) return 'sandbox_not_found'
        return openDispute(
          at,
          place,
          carried.amount,
          call.deadline === null ? null : (LENGTHS[call.deadline] ?? 0),
        )
      },
    },
  )
}

/** How a scenario says the file that is sent as evidence. */
const SAID_FILE = { file: { fileName: 'proof.pdf', contentType: 'application/pdf', text: '%PDF-1.4 proof' } }

/** Answers a dispute with a text or a file. */
export async function answerDispute(
  asking: Asking,
  world: ModelWorld,
  nth: number,
  file: boolean,
  form: AnswerForm,
): Promise<void> {
  const picked = pick(world.life, 'disputes', nth)
  const headers = form === 'stale' ? { headers: { 'If-Match': '"999"' } } : {}
  const bad = {
    body: JSON.stringify({ text: '' }),
    headers: { 'Content-Type': 'application/json' },
    said: { text: '' },
  }
  const good = { ...bad, body: JSON.stringify(bodies.RESPONSE), said: bodies.RESPONSE }
  const noFile = {
    ...bodies.EVIDENCE,
    body: bodies.EVIDENCE.body.replace('%PDF', 'text'),
    said: { file: 'none' },
  }
  const raws = file ? { good: { ...bodies.EVIDENCE, said: SAID_FILE }, bad: noFile } : { good, bad }
  await asking.gateway(world, {
    operation: file ? 'addDisputeEvidence' : 'respondToDispute',
    by: picked.by,
    ...pathOf(picked),
    ...headers,
    raw: form === 'bad' ? raws.bad : raws.good,
    work: (at) => (file ? addEvidence(at, picked.place, form) : respond(at, picked.place, form)),
  })
}
