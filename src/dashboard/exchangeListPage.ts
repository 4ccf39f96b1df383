// Owns the live tail of exchanges: the latest calls to the gateway with their answers, narrowed by filters, 50 at a time.
import { html } from 'hono/html'
import { OPERATION_IDS } from '../contract/endpoints.ts'
import { empty, pager, table } from './parts.ts'
import { httpChip, when } from './show.ts'
import { filters, pageNumber, recordCell } from './toolParts.ts'
import type { Exchange } from '../world/exchanges.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Html, PageRow, Shown, View } from './page.ts'
import type { Listed } from './reads.ts'

/** Exchanges that a page shows. */
const PAGE_SIZE = 50

/** What the tail is narrowed to; empty for everything. */
interface ExchangeFilter {
  operation: string
  status: string
  /** `yes` for those that were refused only. */
  refused: string
  /** Part of the path, code, hint or record, in any letter case. */
  text: string
}

/** The row of the page. */
export const EXCHANGE_LIST_PAGE: PageRow = { path: '/exchanges', word: 'exchanges', show }

function show(view: View): Shown {
  const { words, world, query } = view
  const page = pageNumber(view)
  const filter = {
    operation: query['operation'] ?? '',
    status: query['status'] ?? '',
    refused: query['refused'] ?? '',
    text: (query['q'] ?? '').trim(),
  }
  const { items, hasOlder } = listExchanges(world, filter, page)
  const isNarrowed = page > 1 || Object.values(filter).some((value) => value !== '')
  const main = html`<h1>${words.exchanges}</h1>
    <p class="faint">${words.exchangesWhy}</p>
    ${searchForm(view)}
    ${items.length === 0 ? empty(isNarrowed ? words.nothingFound : words.nothingHere) : exchangeTable(view, items)}
    ${(page > 1 || hasOlder) && pager(view, page, hasOlder)}`
  return { title: words.exchanges, main }
}

function searchForm(view: View): Html {
  const { words, world } = view
  const statuses = [...new Set(world.exchanges.list().map(({ status }) => status))].toSorted((a, b) => a - b)
  return filters(view, [
    { name: 'q', label: words.search, placeholder: words.exchangeSearch },
    {
      name: 'operation',
      label: words.operation,
      choices: [{ value: '', label: words.allOperations }, ...OPERATION_IDS.map((value) => ({ value }))],
    },
    {
      name: 'status',
      label: words.status,
      choices: [
        { value: '', label: words.allStatuses },
        ...statuses.map((status) => ({
          value: String(status),
          label: status === 0 ? words.reset : String(status),
        })),
      ],
    },
    {
      name: 'refused',
      label: words.refusedOnly,
      choices: [
        { value: '', label: words.no },
        { value: 'yes', label: words.yes },
      ],
    },
  ])
}

/** One page of the exchanges that are kept, from page 1, the newest first. */
function listExchanges({ exchanges }: RunningWorld, filter: ExchangeFilter, page: number): Listed<Exchange> {
  const part = filter.text.toLowerCase()
  const found = exchanges
    .list()
    .filter(
      ({ operation, status, code, path, hint, subject }) =>
        (filter.operation === '' || operation === filter.operation) &&
        (filter.status === '' || String(status) === filter.status) &&
        (filter.refused !== 'yes' || code !== null) &&
        (part === '' || [path, code, hint, subject].some((each) => each?.toLowerCase().includes(part))),
    )
    .toReversed()
  const start = (page - 1) * PAGE_SIZE
  return { items: found.slice(start, start + PAGE_SIZE), hasOlder: found.length > start + PAGE_SIZE }
}

function exchangeTable(view: View, exchanges: readonly Exchange[]): Html {
  const { words, base } = view
  const heads = [words.call, words.operation, words.status, words.code, words.record, words.at].map(
    (name) => ({ name }),
  )
  const rows = exchanges.map(({ id, method, path, operation, status, code, faults, subject, at }) => ({
    id,
    cells: [
      html`<a class="clip wide" href="${base}/exchanges/${id}" title="${method} ${path}"
        ><code>${method} ${path}</code></a
      >`,
      operation === null ? html`<span class="faint">–</span>` : html`<code class="whole">${operation}</code>`,
      html`<span>${statusChip(view, status)}</span>`,
      html`<span
        >${code === null ? faults.length === 0 && html`<span class="faint">–</span>` : html`<code class="wrong">${code}</code>`}
        ${faults.map((name) => html`<span class="chip waiting">${name}</span> `)}</span
      >`,
      recordCell(view, subject),
      when(at),
    ],
  }))
  return table(words.exchanges, heads, rows)
}

/** The status of an answer, or that there was none. */
export function statusChip({ words }: View, status: number): Html {
  return status === 0 ? html`<span class="chip bad">${words.reset}</span>` : httpChip(status)
}
