// Owns the checks of lists: what a page holds, and the filters of customers.
import { at, inShort, listAt, textAt } from '../call.ts'
import { LeftOut, once } from '../check.ts'
import { demand, same, shaped, succeeded, usable } from '../demands.ts'
import * as shapes from '../shapes.ts'
import { create, pixOf } from '../suite.ts'
import { namesIn } from './methods.ts'
import type { Answer } from '../call.ts'
import type { Suite } from '../suite.ts'
import type { HiddenName } from '../names.ts'

/** Reads a list with filters under their wire names. */
export async function list(
  { gateway, names }: Pick<Suite, 'gateway' | 'names'>,
  path: string,
  filters: Partial<Record<HiddenName, string>> = {},
): Promise<Answer> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) query.set(names.of(name as HiddenName), value)
  return gateway.call('GET', `${path}?${query.toString()}`)
}

/** Demands that every item of a list has one of these values in a field, and that there is an item. */
export function everyItem(answer: Answer, field: string, expected: string): void {
  const items = listAt(usable('list', answer), 'data.items')
  if (items.length === 0) throw new LeftOut('the list has no such record')
  same(field, [...new Set(items.map((item) => at(item, field)))], [expected])
}

/** Demands that the figures of a page fit each other. */
export function pageFits(answer: Answer): void {
  const data = at(usable('list', answer).body, 'data')
  const [page, pageSize, totalItems] = ['page', 'pageSize', 'totalItems'].map((name) =>
    Number(at(data, name)),
  )
  const totalPages = Math.ceil((totalItems ?? 0) / (pageSize ?? 1))
  same('totalPages', at(data, 'totalPages'), totalPages)
  same('hasNextPage', at(data, 'hasNextPage'), (page ?? 0) < totalPages)
  same('hasPreviousPage', at(data, 'hasPreviousPage'), (page ?? 0) > 1)
  const count = listAt(answer, 'data.items').length
  demand(`at most ${pageSize} items`, count <= (pageSize ?? 0), count)
}

/** Checks the list of customers, which always has some: charges make them. */
export async function customers(suite: Suite): Promise<void> {
  const { book, names, records } = suite
  book.chapter('Customers')
  await records.fullPix()
  const mark = markOf(suite)
  // Two that no run before made, so that there is a second page and an order.
  for (const word of ['Primeira', 'Segunda']) {
    await create(suite.gateway, pixOf({ customerName: `${word} ${mark}` }))
  }
  const first = await list(suite, '/v1/customers')
  await book.holds('customers are answered as a page and nothing else', () =>
    shaped('data', at(usable('list', first).body, 'data'), shapes.page(shapes.customer)),
  )
  await book.holds('the figures of the page of customers fit each other', () => pageFits(first))
  await paging(suite)
  const filters: readonly (readonly [HiddenName, string, string])[] = [
    ['status', 'Active', 'status'],
    ['documentType', 'CPF', 'documentType'],
  ]
  for (const [name, value, field] of filters) {
    await book.holds(`customers can be filtered by ${name}`, async () =>
      names.needing(name, async () =>
        everyItem(await list(suite, '/v1/customers', { [name]: value }), field, value),
      ),
    )
  }
  await book.holds('customers can be searched by name', async () =>
    names.needing('search', async () =>
      everyItem(await list(suite, '/v1/customers', { search: 'Ana Souza' }), 'name', 'Ana Souza'),
    ),
  )
  await book.holds('a search that meets nobody gives no items', async () =>
    names.needing('search', async () => {
      const answer = await list(suite, '/v1/customers', { search: 'no customer has this name' })
      same('items', listAt(usable('list', answer), 'data.items').length, 0)
    }),
  )
  await book.holds('customers can be filtered by externalId', async () =>
    names.needing('externalId', async () => {
      const answer = await list(suite, '/v1/customers', { externalId: 'no customer has this reference' })
      same('items', listAt(usable('list', answer), 'data.items').length, 0)
    }),
  )
  await choices(suite, first)
}

async function paging(suite: Suite): Promise<void> {
  const { book, names } = suite
  const pages = once(() =>
    Promise.all(['1', '2'].map((page) => list(suite, '/v1/customers', { page, pageSize: '1' }))),
  )
  await book.holds('pages of one customer each hold different customers', async () =>
    names.needing('pageSize', async () => {
      const answers = await pages()
      const found = answers.map((answer) => listAt(usable('list', answer), 'data.items'))
      same(
        'items of each page',
        found.map((items) => items.length),
        [1, 1],
      )
      demand('another customer', at(found[0]?.[0], 'id') !== at(found[1]?.[0], 'id'), 'the same')
    }),
  )
  await book.holds('a page says its number, its size and its neighbours', async () =>
    names.needing('pageSize', async () => {
      const answers = await pages()
      for (const [index, answer] of answers.entries()) {
        same('page', at(usable('list', answer).body, 'data.page'), index + 1)
        same('pageSize', at(answer.body, 'data.pageSize'), 1)
        pageFits(answer)
      }
    }),
  )
  await book.holds('a page may have 100 items', async () =>
    names.needing('pageSize', async () => {
      const answer = await list(suite, '/v1/customers', { pageSize: '100' })
      succeeded(answer)
      same('pageSize', at(answer.body, 'data.pageSize'), 100)
    }),
  )
  await book.holds('no page has more than 100 items', async () => {
    const answer = await list(suite, '/v1/customers', { pageSize: '101' })
    const size = Number(at(answer.body, 'data.pageSize') ?? 0)
    demand('a refusal, or 100 items', size <= 100, size)
  })
}

async function choices(suite: Suite, first: Answer): Promise<void> {
  const { book, gateway } = suite
  await book.observe('LI-01', 'pageSize by itself', '20', () =>
    String(at(usable('list', first).body, 'data.pageSize')),
  )
  await book.observe('LI-01', 'a pageSize of 101', '400 validation_error', async () =>
    inShort(await list(suite, '/v1/customers', { pageSize: '101' })),
  )
  await book.observe('LI-02', 'order of a list', 'newest first', async () => orderOf(suite))
  await book.observe('LI-04', 'a page past the end', '200', async () =>
    inShort(await list(suite, '/v1/customers', { page: '100000' })),
  )
  await book.observe('CU-04', 'document of a customer', '123.456.789-09', async () => {
    const answer = await list(suite, '/v1/customers', { search: 'Ana Souza' })
    return String(at(listAt(answer, 'data.items')[0], 'document'))
  })
  const created = once(() =>
    gateway.call('POST', '/v1/customers', {
      body: { name: 'Bia Reis', email: 'bia@example.com', addressCity: 'Recife' },
    }),
  )
  await book.observe('CU-01', 'POST /v1/customers', '201', async () => inShort(await created()))
  await book.observe(
    'CU-02',
    'fields of an address',
    'city, complement, country, neighborhood, number, postalCode, state, street',
    async () => namesIn(at(usable('customer', await created()).body, 'data.address')),
  )
  await book.observe('CU-03', 'GET /v1/customers/{id}', '200', async () => {
    const id = textAt(usable('customer', await created()), 'data.id')
    return inShort(await gateway.call('GET', `/v1/customers/${id}`))
  })
}

/** Which of the two new customers a list names first. */
async function orderOf(suite: Suite): Promise<string> {
  const search = markOf(suite)
  const listed = usable('list', await list(suite, '/v1/customers', { search }))
  const names = listAt(listed, 'data.items').map((item) => String(at(item, 'name')).split(' ')[0])
  if (names.length !== 2) throw new LeftOut(`a search for two new customers found ${names.length}`)
  return names[0] === 'Segunda' ? 'newest first' : 'oldest first'
}

/** A text that only records of this run have. */
function markOf({ records }: Suite): string {
  return String(records.fullPixBody['externalId'])
}
