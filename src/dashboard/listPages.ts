// Owns the lists of transactions, cashouts, disputes and customers: found by text and status, 20 a page, newest first.
import { html } from 'hono/html'
import {
  CASHOUT_STATUSES,
  CUSTOMER_STATUSES,
  DISPUTE_STATUSES,
  TRANSACTION_STATUSES,
} from '../contract/enums.ts'
import { linkTo } from './links.ts'
import { empty, pager, table } from './parts.ts'
import { chip, money, shortId, when } from './show.ts'
import { filters, pageNumber } from './toolParts.ts'
import type { Timestamp } from '../kernel/brands.ts'
import type { Html, PageRow, Shown, View } from './page.ts'
import type { RecordKind, RecordOf } from './reads.ts'
import type { Word } from './words.ts'

/** One column: its name, and what a record has in it. */
interface Column<R> {
  word: Word
  money?: boolean
  cell: (record: R, view: View) => unknown
}

/** What a list of a kind shows besides the link to each record. */
interface ListRow<R> {
  statuses: readonly string[]
  columns: readonly Column<R>[]
}

const status = { word: 'status', cell: (record: { status: string }) => chip(record.status) } as const
const created = {
  word: 'created',
  cell: (record: { createdAt: Timestamp }) => when(record.createdAt),
} as const
const amount = {
  word: 'amount',
  money: true,
  cell: (record: { amount: number }) => money(record.amount),
} as const
const reference = {
  word: 'reference',
  cell: ({ externalId }: { externalId: string | null }) => externalId,
} as const

const LISTS: { readonly [K in RecordKind]: ListRow<RecordOf[K]> } = {
  transactions: {
    statuses: TRANSACTION_STATUSES,
    columns: [
      status,
      amount,
      { word: 'method', cell: ({ method }) => method },
      reference,
      { word: 'description', cell: ({ description }) => description },
      created,
    ],
  },
  cashouts: {
    statuses: CASHOUT_STATUSES,
    columns: [
      status,
      amount,
      {
        word: 'pixKey',
        cell: ({ pixKey, pixKeyType }) => html`${pixKey} <span class="faint">${pixKeyType}</span>`,
      },
      reference,
      created,
    ],
  },
  disputes: {
    statuses: DISPUTE_STATUSES,
    columns: [
      status,
      amount,
      { word: 'reason', cell: ({ reason }) => reason },
      { word: 'transaction', cell: ({ transactionId }, view) => linkTo(view, transactionId) },
      { word: 'deadline', cell: ({ responseDeadline }) => when(responseDeadline) },
      created,
    ],
  },
  customers: {
    statuses: CUSTOMER_STATUSES,
    columns: [
      status,
      { word: 'name', cell: ({ name }) => name },
      { word: 'email', cell: ({ email }) => email },
      { word: 'document', cell: ({ document }) => document },
      reference,
      created,
    ],
  },
}

/** The row of the list of a kind. */
export function listPage(kind: RecordKind): PageRow {
  return { path: `/${kind}`, word: kind, show: (view) => listOf(view, kind) }
}

function listOf(view: View, kind: RecordKind): Shown {
  const { words, world, reads, query, base } = view
  const { statuses, columns } = LISTS[kind] as ListRow<never>
  const page = pageNumber(view)
  const filter = { status: query['status'] ?? '', text: (query['q'] ?? '').trim() }
  const { items, hasOlder } = reads.list(world, kind, filter, page)
  const heads = [
    { name: 'id' },
    ...columns.map(({ word, money: isMoney = false }) => ({ name: words[word], money: isMoney })),
  ]
  const rows = items.map((record) => ({
    id: record.id,
    cells: [
      html`<a href="${base}/${kind}/${record.id}"><code>${shortId(record.id)}</code></a>`,
      ...columns.map(({ cell }) => cell(record as never, view)),
    ],
  }))
  const isNarrowed = filter.status !== '' || filter.text !== ''
  const main = html`<h1>${words[kind]}</h1>
    ${searchForm(view, statuses)}
    ${rows.length === 0 ? empty(isNarrowed || page > 1 ? words.nothingFound : words.nothingHere) : table(words[kind], heads, rows)}
    ${(page > 1 || hasOlder) && pager(view, page, hasOlder)}`
  return { title: words[kind], main }
}

function searchForm(view: View, statuses: readonly string[]): Html {
  const { words } = view
  const choices = [{ value: '', label: words.allStatuses }, ...statuses.map((value) => ({ value }))]
  return filters(view, [
    { name: 'q', label: words.search, placeholder: words.searchHint },
    { name: 'status', label: words.status, choices },
  ])
}
