// Checks that what is planned and not built says so, and that nothing built is called so.
import { afterAll, expect, test } from 'vitest'
import { PLANNED_ROUTES } from '../../src/control/planned.ts'
import { CONTROL_ROUTES } from '../../src/control/routes.ts'
import { openSandbox } from '../support/sandbox.ts'

const sandbox = openSandbox()
afterAll(() => sandbox.close())

test.each(PLANNED_ROUTES)(
  '$method $path says that it is not built, in any world',
  async ({ method, path }) => {
    for (const base of ['', '/worlds/default']) {
      const { status, body } = await sandbox.control(method, base + path.replace('{id}', 'any'))
      expect([status, body.error.code]).toEqual([501, 'sandbox_not_built'])
    }
  },
)

test('no route that is built stands among the planned ones', () => {
  const built = new Set(CONTROL_ROUTES.map(({ method, path }) => `${method} ${path}`))
  expect(PLANNED_ROUTES.filter(({ method, path }) => built.has(`${method} ${path}`))).toEqual([])
})
