// Checks what the reports of `npm audit` are taken for, and what may be installed with the package.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { auditVerdict } from '../support/audit.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const report = (vulnerabilities: object, total: number): string =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: { vulnerabilities: { total } } })

describe('a report of npm audit', () => {
  test('with a defect fails, and names the package', () => {
    const planted = report({ hono: { name: 'hono', severity: 'high', via: ['GHSA-0000'] } }, 1)
    expect(auditVerdict(planted)).toEqual({
      verdict: 'findings',
      line: 'audit: 1 packages with known defects: hono (high)',
    })
    expect(auditVerdict(report({}, 2)).verdict).toBe('findings')
  })

  test('without one passes', () => {
    expect(auditVerdict(report({}, 0)).verdict).toBe('clean')
  })

  test.each([
    ['an error', '{"error":{"code":"ENOAUDIT","summary":"405 Method Not Allowed"}}', /ENOAUDIT: 405/],
    ['a message', '{"message":"405 Method Not Allowed - POST https://registry.test"}', /405 Method/],
    [
      'a refusal without a summary',
      '{"message":"405 Method Not Allowed - POST https://registry.test","error":{"summary":"","detail":""}}',
      /405 Method/,
    ],
    ['nothing', '', /nothing that could be read/],
    ['a page', '<html>', /nothing that could be read/],
    ['an empty object', '{}', /nothing that could be read/],
    ['null', 'null', /nothing that could be read/],
  ])('that is %s says in one line that nothing was checked', (_what, text, said) => {
    const { verdict, line } = auditVerdict(text)
    expect(verdict).toBe('unanswered')
    expect(line).toMatch(/^audit: NOT CHECKED[^\n]+$/)
    expect(line).toMatch(said)
  })

  test('is asked for by the script of the repository', () => {
    expect(read('.ci/run')).toContain('npm run audit')
  })
})

describe('what is installed', () => {
  interface Locked {
    packages: Record<
      string,
      { dev?: boolean; integrity?: string; hasInstallScript?: boolean; link?: boolean }
    >
  }
  const installed = Object.entries((JSON.parse(read('package-lock.json')) as Locked).packages).filter(
    ([path, { dev }]) => path !== '' && dev !== true,
  )

  test('with the package is pinned, has its digest, and runs nothing while it is installed', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
    const wanted = Object.keys(dependencies)
    const own = installed.filter(([path]) => wanted.includes(path.replace('node_modules/', '')))
    expect(own.length).toBe(wanted.length)
    for (const [path, { integrity, hasInstallScript }] of own) {
      expect(integrity, path).toMatch(/^sha512-/)
      expect(hasInstallScript, path).toBeUndefined()
    }
  })
})
