// Tests of the list of customers: filters, search, pages and order.
import { beforeAll, describe, expect, test } from 'vitest'
import { advance, control, fresh, outcome, shared } from './calls.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

interface Listed {
  items: { name: string; id: string }[]
  page: number
  pageSize: number
  totalItems: number
  totalPages: number
  hasNextPage: boolean
  hasPreviousPage: boolean
}

const list = (sandbox: TestSandbox, query = ''): Promise<Answered> =>
  sandbox.call('GET', `/v1/customers${query}`)

async function page(sandbox: TestSandbox, query = ''): Promise<Listed> {
  const { status, body } = await list(sandbox, query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

async function names(sandbox: TestSandbox, query = ''): Promise<string[]> {
  return (await page(sandbox, query)).items.map(({ name }) => name)
}

async function add(
  sandbox: TestSandbox,
  name: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const email = `${encodeURIComponent(name).replaceAll(/\W/g, '').toLowerCase()}@example.com`
  const { status, body } = await sandbox.call('POST', '/v1/customers', { name, email, ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}

/** As many customers as are asked for, called c1, c2 and so on. */
async function addMany(sandbox: TestSandbox, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) await add(sandbox, `c${number}`)
}

async function fill(sandbox: TestSandbox): Promise<void> {
  await add(sandbox, 'José Conceição', { document: '12345678909', email: 'jose@loja.example' })
  await add(sandbox, 'JOSEFA Lima', { document: '987.654.321-00', externalId: 'ext-1' })
  const inactive = await add(sandbox, 'Ateliê Ângela', { document: '11.222.333/0001-81' })
  await add(sandbox, 'Nova Letras', { document: '12ABC34501DE35', externalId: 'EXT-1' })
  await add(sandbox, 'Sem Documento', { email: 'Sem.Papel@Example.com' })
  await sandbox.call('PATCH', `/v1/customers/${inactive}`, { status: 'Inactive' })
}

describe('the filters of the list', () => {
  const sandbox = shared()
  beforeAll(() => fill(sandbox))

  // proves: endpoint listCustomers
  test('are all left out: everybody is there, the newest first, with the fields of a customer', async () => {
    const { items } = await page(sandbox)
    expect(items.map(({ name }) => name)).toEqual([
      'Sem Documento',
      'Nova Letras',
      'Ateliê Ângela',
      'JOSEFA Lima',
      'José Conceição',
    ])
    const first = items[0]
    const one = await sandbox.call('GET', `/v1/customers/${first?.id}`)
    expect(first).toEqual(one.body.data)
  })

  test.each<[query: string, found: string[]]>([
    ['status=Inactive', ['Ateliê Ângela']],
    ['status=inactive', ['Ateliê Ângela']],
    ['status=Active', ['Sem Documento', 'Nova Letras', 'JOSEFA Lima', 'José Conceição']],
    ['documentType=CPF', ['JOSEFA Lima', 'José Conceição']],
    ['documentType=cnpj', ['Nova Letras', 'Ateliê Ângela']],
    ['externalId=ext-1', ['JOSEFA Lima']],
    ['externalId=EXT-1', ['Nova Letras']],
    ['externalId=ext', []],
    ['externalId=__proto__', []],
    // By name, whatever case and accents.
    ['search=jos%C3%A9', ['JOSEFA Lima', 'José Conceição']],
    ['search=JOSE', ['JOSEFA Lima', 'José Conceição']],
    ['search=conceicao', ['José Conceição']],
    ['search=CONCEI%C3%87%C3%83O', ['José Conceição']],
    ['search=concei%C3%A7%C3%A3o', ['José Conceição']],
    ['search=conceic%CC%A7a%CC%83o', ['José Conceição']],
    ['search=atelie+angela', ['Ateliê Ângela']],
    ['search=s%C3%A9m', ['Sem Documento']],
    ['search=nobody', []],
    // By e-mail.
    ['search=jose@loja', ['José Conceição']],
    ['search=sem.papel@example.COM', ['Sem Documento']],
    // By document, with and without punctuation, whole or in part.
    ['search=12345678909', ['José Conceição']],
    ['search=123.456.789-09', ['José Conceição']],
    ['search=98765432100', ['JOSEFA Lima']],
    ['search=11.222.333/0001-81', ['Ateliê Ângela']],
    ['search=11222333000181', ['Ateliê Ângela']],
    ['search=12.abc.345/01de-35', ['Nova Letras']],
    ['search=12ABC', ['Nova Letras']],
    ['search=456.789', ['José Conceição']],
    ['search=0001-81', ['Ateliê Ângela']],
    ['search=4567890', ['José Conceição']],
    // Text that means something elsewhere.
    ['search=%25', []],
    ['search=.*', []],
    ['search=[', []],
    ['search=%00', []],
    ['search=-', []],
    // Several at once all have to hold.
    ['search=jose&documentType=CPF&status=Active&externalId=ext-1', ['JOSEFA Lima']],
    ['search=jose&documentType=CNPJ', []],
    ['status=Inactive&documentType=CPF', []],
    // Empty ones are absent ones.
    ['status=&documentType=&search=&externalId=ext-1', ['JOSEFA Lima']],
    // Of two the first counts.
    ['externalId=ext-1&externalId=EXT-1', ['JOSEFA Lima']],
  ])('?%s find %j', async (query, found) => {
    expect(await names(sandbox, `?${query}`)).toEqual(found)
    expect(sandbox.defects).toEqual([])
  })

  test.each([
    ['status=Deleted', 'status'],
    ['status=Active,Inactive', 'status'],
    ['status=__proto__', 'status'],
    ['documentType=RG', 'documentType'],
    ['documentType=constructor', 'documentType'],
  ])('?%s are refused with a validation_error that names %s', async (query, field) => {
    const answered = await list(sandbox, `?${query}`)
    expect(outcome(answered)).toBe('400 validation_error')
    expect(answered.body.error.message).toContain(`'${field}'`)
  })

  test.each([
    ['pagesize=2', 'pageSize'],
    ['page_size=2', 'pageSize'],
    ['externalid=x', 'externalId'],
    ['serch=x', 'search'],
  ])('?%s are ignored, and the hint names %s', async (query, meant) => {
    const answered = await list(sandbox, `?${query}`)
    expect(answered.body.data.totalItems).toBe(5)
    expect(answered.headers.get('x-sandbox-hint') ?? 'no hint').toContain(`'${meant}'`)
  })

  test('need the exact case in a world that chose that (TX-05)', async () => {
    const exact = fresh({ silences: { 'TX-05': 'exact' } })
    expect(outcome(await list(exact, '?status=active'))).toBe('400 validation_error')
    expect(outcome(await list(exact, '?status=Active'))).toBe('200')
  })

  test('see customers of their own scope only', async () => {
    const token = await sandbox.token('pk_sandbox_default_receiver')
    const { body } = await sandbox.send('GET', '/v1/customers', { token })
    expect(body.data.totalItems).toBe(0)
  })

  test('see customers that transactions made inline', async () => {
    const own = fresh()
    await own.call('POST', '/v1/transactions', { method: 'Pix', amount: 100, customerName: 'Inline' })
    expect(await names(own)).toEqual(['Inline'])
  })
})

describe('the pages of the list', () => {
  const sandbox = shared()
  beforeAll(() => addMany(sandbox, 21))

  test('are empty as long as nobody is there', async () => {
    expect(await page(fresh())).toEqual({
      items: [],
      page: 1,
      pageSize: 20,
      totalItems: 0,
      totalPages: 0,
      hasNextPage: false,
      hasPreviousPage: false,
    })
  })

  // proves: limit DEFAULT_PAGE_SIZE
  test('hold 20 unless told otherwise', async () => {
    const { items, ...rest } = await page(sandbox)
    expect(items).toHaveLength(20)
    expect(rest).toEqual({
      page: 1,
      pageSize: 20,
      totalItems: 21,
      totalPages: 2,
      hasNextPage: true,
      hasPreviousPage: false,
    })
  })

  test.each<
    [query: string, first: string | null, count: number, pages: number, next: boolean, previous: boolean]
  >([
    ['page=1&pageSize=10', 'c21', 10, 3, true, false],
    ['page=2&pageSize=10', 'c11', 10, 3, true, true],
    ['page=3&pageSize=10', 'c1', 1, 3, false, true],
    ['page=4&pageSize=10', null, 0, 3, false, true],
    ['page=1&pageSize=21', 'c21', 21, 1, false, false],
    ['page=1&pageSize=20', 'c21', 20, 2, true, false],
    ['page=2&pageSize=20', 'c1', 1, 2, false, true],
    ['page=2', 'c1', 1, 2, false, true],
    ['page=1&pageSize=1', 'c21', 1, 21, true, false],
    ['page=21&pageSize=1', 'c1', 1, 21, false, true],
    ['pageSize=100', 'c21', 21, 1, false, false],
    ['page=1000000&pageSize=100', null, 0, 1, false, true],
    ['page=9007199254740991&pageSize=100', null, 0, 1, false, true],
    ['page=&pageSize=', 'c21', 20, 2, true, false],
  ])('for ?%s begin with %s and hold %d', async (query, first, count, pages, next, previous) => {
    const found = await page(sandbox, `?${query}`)
    expect(found.items[0]?.name ?? null).toBe(first)
    expect(found.items).toHaveLength(count)
    expect(found).toMatchObject({
      totalItems: 21,
      totalPages: pages,
      hasNextPage: next,
      hasPreviousPage: previous,
    })
  })

  test('show everybody exactly once, whatever their size', async () => {
    const all = await names(sandbox, '?pageSize=100')
    for (const pageSize of [1, 2, 7, 20]) {
      const seen: string[] = []
      for (let number = 1; number <= Math.ceil(21 / pageSize); number++) {
        seen.push(...(await names(sandbox, `?page=${number}&pageSize=${pageSize}`)))
      }
      expect(seen, `pages of ${pageSize}`).toEqual(all)
    }
  })

  test('count only what the filters let through', async () => {
    const found = await page(sandbox, '?search=c1&pageSize=5')
    expect(found).toMatchObject({ totalItems: 11, totalPages: 3, hasNextPage: true })
  })

  const outside = [
    ['page=0', 'page', 1, 20],
    ['page=-1', 'page', 1, 20],
    ['page=1.5', 'page', 1, 20],
    ['pageSize=0', 'pageSize', 1, 1],
    ['pageSize=-5', 'pageSize', 1, 1],
    ['pageSize=101', 'pageSize', 1, 100],
    ['pageSize=1000000000000000000000', 'pageSize', 1, 100],
    ['pageSize=2.9', 'pageSize', 1, 2],
  ] as const

  // proves: limit MAX_PAGE_SIZE
  test.each(outside)(
    'for ?%s are refused with a validation_error that names %s (LI-01)',
    async (query, field) => {
      const answered = await list(sandbox, `?${query}`)
      expect(outcome(answered)).toBe('400 validation_error')
      expect(answered.body.error.message).toContain(`'${field}'`)
    },
  )

  test.each(outside)(
    'for ?%s, off in %s, are page %d of %d where limits clamp (LI-01)',
    async (query, _field, number, size) => {
      const clamping = fresh({ silences: { 'LI-01': 'clamped' } })
      expect(await page(clamping, `?${query}`)).toMatchObject({ page: number, pageSize: size })
    },
  )

  test.each([
    'page=abc',
    'pageSize=abc',
    'page=1,2',
    'page=one',
    'page=true',
    'pageSize=NaN',
    'page=%00',
    'page=1e',
  ])('for ?%s are refused, also where limits clamp: it is no number', async (query) => {
    const clamping = fresh({ silences: { 'LI-01': 'clamped' } })
    for (const each of [sandbox, clamping]) {
      expect(outcome(await list(each, `?${query}`))).toBe('400 validation_error')
    }
  })

  test('past the end are empty, or 404 not_found in a world that chose that (LI-04)', async () => {
    const strict = fresh({ silences: { 'LI-04': 'notFound' } })
    await addMany(strict, 3)
    for (const [query, expected] of [
      ['page=1', '200'],
      ['page=2', '404 not_found'],
      ['page=2&pageSize=2', '200'],
      ['page=3&pageSize=2', '404 not_found'],
      ['page=1&search=nobody', '200'],
      ['page=2&search=nobody', '404 not_found'],
    ] as const) {
      expect(outcome(await list(strict, `?${query}`)), query).toBe(expected)
      expect(outcome(await list(sandbox, `?${query}`)), query).toBe('200')
    }
  })
})

describe('a search', () => {
  test('finds customers by what they are called now, and those that came after an earlier search', async () => {
    const sandbox = fresh()
    const id = await add(sandbox, 'Ana Souza', { email: 'one@example.com' })
    expect(await names(sandbox, '?search=souza')).toEqual(['Ana Souza'])
    await add(sandbox, 'Bia Souza', { email: 'two@example.com' })
    await sandbox.call('PATCH', `/v1/customers/${id}`, { name: 'Ana Lima' })
    expect(await names(sandbox, '?search=souza')).toEqual(['Bia Souza'])
    expect(await names(sandbox, '?search=lima')).toEqual(['Ana Lima'])
    await sandbox.call('PATCH', `/v1/customers/${id}`, { status: 'Inactive' })
    expect(await names(sandbox, '?search=lima')).toEqual(['Ana Lima'])
  })
})

describe('the order of the list', () => {
  test('is newest first, also among those made at one instant of a frozen clock', async () => {
    const sandbox = fresh()
    await addMany(sandbox, 3)
    await advance(sandbox, '1ms')
    await add(sandbox, 'later')
    expect(await names(sandbox)).toEqual(['later', 'c3', 'c2', 'c1'])
  })

  test('does not change when a customer is changed', async () => {
    const sandbox = fresh()
    const first = await add(sandbox, 'first')
    await add(sandbox, 'second')
    await advance(sandbox, '1m')
    await sandbox.call('PATCH', `/v1/customers/${first}`, { name: 'changed', email: 'z@example.com' })
    expect(await names(sandbox)).toEqual(['second', 'changed'])
  })

  test('is the same after the world was saved and restored', async () => {
    const sandbox = fresh()
    await addMany(sandbox, 5)
    const before = await names(sandbox)
    await control(sandbox, 'PUT', '/snapshots/here', {})
    await add(sandbox, 'gone')
    await control(sandbox, 'POST', '/snapshots/here/restore')
    expect(await names(sandbox)).toEqual(before)
  })
})
