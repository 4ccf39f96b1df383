// Checks the verb `run`: several files, reports, exit codes, a running server, and ending on a signal.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtCommand, PATIENCE_MS } from '../cli/command.ts'

const LIBRARY = fileURLToPath(new URL('../../scenarios', import.meta.url))
const { run, started, refusal } = builtCommand()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-run-'))
  const paid = await readFile(join(LIBRARY, 'pix/paid.yaml'), 'utf8')
  await writeFile(join(folder, 'a-changed.yaml'), paid.replace('netAmount: 12795', 'netAmount: 12796'))
  await writeFile(join(folder, 'broken.yaml'), 'name: x\nsteps:\n  - cal: getBalance\n')
  await writeFile(join(folder, 'b-note.json'), '{"name": "a <note> & \\"more\\"", "steps": [{"note": "x"}]}')
  const hang = 'inbox: { as: shop, answers: [{ hang: true }] }'
  const call =
    'call: createTransaction\n    with: { method: Pix, amount: 1000, callbackUrl: $shop.url }\n    as: sale'
  const steps = [hang, call, 'trigger: { on: $sale.id, do: confirm }', 'settle: { timeoutMs: 60000 }']
  const text = ['name: one that hangs', 'steps:', ...steps.map((step) => `  - ${step}`)].join('\n')
  await writeFile(join(folder, 'hangs.yaml'), text)
  await writeFile(join(folder, 'only-rules.yml'), ONLY_RULES)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What configures a server and tells no story. */
const ONLY_RULES = `name: only given and rules
given: { customers: [{ as: ana, name: Ana Souza, email: ana@example.com }] }
rules: [{ when: { call: createTransaction, amount: 6661 }, do: { trigger: fail, after: 3s } }]
`

const PASSED = `✓ ${LIBRARY}/pix/paid.yaml  a PIX is paid  (10 steps, `

async function worldsOf(url: string): Promise<string[]> {
  const { items } = (await (await fetch(`${url}/_sandbox/worlds`)).json()) as { items: { id: string }[] }
  return items.map(({ id }) => id)
}

describe('run', () => {
  test.each([
    ['a glob', ['**/*.yaml']],
    ['a folder', ['']],
    ['files', ['pix/paid.yaml', '{refunds,webhooks}/*.yaml', 'pix/expired.yaml', 'disputes/lost.y*ml']],
  ])(
    'plays %s, and ends with 0',
    async (_, names) => {
      const { code, stdout, stderr } = await run(['run', ...names.map((name) => `${LIBRARY}/${name}`)]).ended
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(PASSED)
      expect(stdout).toMatch(/\n\n(\d+) scenarios: \1 passed\n$/)
    },
    PATIENCE_MS,
  )

  test(
    'ends with 1 and a diff, also as JUnit and JSON, when an expected value is one cent off',
    async () => {
      const files = [`${folder}/a-changed.yaml`, `${folder}/b-note.json`]
      const spec = await run(['run', ...files]).ended
      expect([spec.code, spec.stderr]).toEqual([1, ''])
      expect(spec.stdout).toContain('- data.netAmount: 12796\n    + data.netAmount: 12795')
      expect(spec.stdout).toContain('2 scenarios: 1 passed, 1 failed')

      const junit = await run(['run', ...files, '--reporter', 'junit']).ended
      expect(junit.code).toBe(1)
      expect(junit.stdout).toContain('<testsuites name="gateway-sandbox" tests="2" failures="1"')
      expect(junit.stdout).toContain('name="a &lt;note&gt; &amp; &quot;more&quot;"')
      expect(junit.stdout).toMatch(/<failure message="[^"<]+" type="StepFailure">[^<]*12796[^<]*<\/failure>/)

      const json = await run(['run', ...files, '--reporter', 'json']).ended
      expect(json.code).toBe(1)
      expect(JSON.parse(json.stdout)).toMatchObject({
        passed: 1,
        failed: 1,
        notPlayed: 0,
        scenarios: [
          { passed: false, failure: { line: 24, step: '7' } },
          { passed: true, failure: null },
        ],
      })
    },
    PATIENCE_MS,
  )

  test(
    'with --bail stops at the first failure',
    async () => {
      const { code, stdout } = await run([
        'run',
        '--bail',
        `${folder}/a-changed.yaml`,
        `${folder}/hangs.yaml`,
      ]).ended
      expect(code).toBe(1)
      expect(stdout).toContain('2 scenarios: 0 passed, 1 failed, 1 not played')
      expect(stdout).toContain(`- ${folder}/hangs.yaml  one that hangs  (not played)`)
    },
    PATIENCE_MS,
  )

  test(
    'with --bail lists what was left out as JUnit and JSON too',
    async () => {
      const bailed = ['run', '--bail', `${folder}/a-changed.yaml`, `${folder}/hangs.yaml`, '--reporter']
      const junit = (await run([...bailed, 'junit']).ended).stdout
      expect(junit).toContain('tests="2" failures="1" errors="0" skipped="1"')
      expect(junit).toMatch(/<testcase name="one that hangs" [^>]*>\n +<skipped\/>\n +<\/testcase>/)
      const json = JSON.parse((await run([...bailed, 'json']).ended).stdout) as unknown
      expect(json).toMatchObject({
        failed: 1,
        notPlayed: 1,
        leftOut: [{ name: 'one that hangs', file: `${folder}/hangs.yaml` }],
      })
    },
    PATIENCE_MS,
  )

  test(
    'plays a file once that is named by several paths',
    async () => {
      const { stdout } = await run([
        'run',
        `${folder}/b-note.json`,
        `${folder}/../${basename(folder)}/b-n*.json`,
      ]).ended
      expect(stdout).toContain('1 scenario: 1 passed')
    },
    PATIENCE_MS,
  )

  test(
    'plays against a running server, and leaves no world behind',
    async () => {
      const token = ['--control-token', 'let-me-in']
      const { told, child } = await started(token)
      const to = ['--url', told.url, ...token]
      const { code, stdout, stderr } = await run(['run', `${LIBRARY}/**/*.yaml`, ...to]).ended
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
      const listed = await run(['world', 'list', '--json', ...to]).ended
      expect(listed.stdout.match(/"publicKey":"pk_sandbox_[^"]*"/g)?.join()).toContain('pk_sandbox_default')
      expect(listed.stdout).not.toContain('pk_sandbox_w')
      child.kill('SIGTERM')
      const gone = await run(['run', `${LIBRARY}/pix`, '--url', 'http://127.0.0.1:9']).ended
      expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('Nothing answers')])
    },
    PATIENCE_MS,
  )

  test(
    'checks a file without steps, also against a running server, and ends with 0',
    async () => {
      const { told } = await started()
      for (const to of [[], ['--url', told.url]]) {
        const { code, stdout } = await run(['run', `${folder}/only-rules.yml`, ...to]).ended
        expect([code, stdout]).toEqual([0, expect.stringContaining('only given and rules  (0 steps, ')])
      }
      const wrong = ONLY_RULES.replace('trigger: fail', 'trigger: complete')
      await writeFile(join(folder, 'wrong-rule.yml'), wrong)
      const { code, stdout, stderr } = await run(['run', `${folder}/wrong-rule.yml`]).ended
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/wrong-rule\.yml:3:75: do\.trigger: .*which has no trigger complete/)
    },
    PATIENCE_MS,
  )

  test(
    'refuses a file that is no scenario with 2, and plays nothing',
    async () => {
      const { code, stdout, stderr } = await run(['run', `${folder}/*`]).ended
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(`${folder}/broken.yaml:3:5: 'cal' is no verb. Did you mean 'call'?`)
    },
    PATIENCE_MS,
  )

  test(
    'refuses wrong usage on one line',
    async () => {
      expect(await refusal(['run'])).toContain('at least one scenario file')
      expect(await refusal(['run', 'nowhere/*.yaml'])).toContain('there is no scenario file nowhere/*.yaml')
      expect(await refusal(['run', 'x', '--reporter', 'tap'])).toContain('spec, junit, json')
    },
    PATIENCE_MS,
  )

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'ends on %s, with what was played until then, and leaves no world on a running server',
    async (signal, ended) => {
      const { told } = await started()
      const running = run(['run', `${folder}/b-note.json`, `${folder}/hangs.yaml`, '--url', told.url])
      await running.lines(1)
      const wait = { method: 'POST', body: '{"operation":"createTransaction","after":0,"wait":"60s"}' }
      const hanging = (await worldsOf(told.url)).find((id) => id !== 'default') ?? 'none'
      expect((await fetch(`${told.control}/worlds/${hanging}/exchanges/wait`, wait)).status).toBe(200)
      running.child.kill(signal)
      const { code, stdout, stderr } = await running.ended
      expect({ code, stderr }).toEqual({ code: ended, stderr: '' })
      expect(stdout).toContain('2 scenarios: 1 passed, 1 not played')
      expect(await worldsOf(told.url)).toEqual(['default'])
    },
    PATIENCE_MS,
  )
})
