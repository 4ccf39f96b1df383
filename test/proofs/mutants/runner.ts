// Owns how one mutant is tried: Stryker's runner for vitest, on a worker that stays alive from mutant to mutant.
import { readdirSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner'
import { choose } from './choice.ts'
import { createKeptPool } from './keptWorker.ts'
import { createSurvivorsReporter } from './survivors.ts'
import { texts } from './texts.ts'
import type { TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node'
import type { Choice } from './choice.ts'

/** Stryker lets code pass a hundred times as often as without a mutant before it counts as endless; ten times is enough. */
const SOONER = 10

/** A worker that has tried so many mutants begins again: what it loaded for each is never let go. */
const MOST_MUTANTS = 60

/** A mutant to try, as Stryker asks for it. */
interface Asked {
  activeMutant: { id: string; fileName: string }
  /** `static`: the mutated code runs while modules load, so they are loaded anew. */
  mutantActivation: 'static' | 'runtime'
  /** Tests that meet the mutant, as `file#name`; left out when nothing says which. */
  testFilter?: string[]
  /** Passes through the mutant before it counts as endless. */
  hitLimit?: number
}

/** What came of a mutant, in the words of Stryker. */
type Answer =
  | { status: 'killed'; killedBy: string[]; failureMessage: string; nrOfTests: number }
  | { status: 'survived'; nrOfTests: number }
  | { status: 'timeout'; reason: string }

/** What is used of the runner that Stryker brings. */
interface VitestRunner {
  ctx: Vitest
  init(): Promise<void>
  capabilities(): unknown
  dryRun(options: unknown): Promise<unknown>
  dispose(): Promise<void>
  resetContext(): void
  readHitCount(): number
}

/** Everything of this project that a worker may have loaded, so that it is loaded anew with or without a mutant. */
function filesOfProject(): string[] {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => resolve(folder, name)),
  )
}

/**
 * Whether a file keeps what it worked out for good, so that a mutant may go unmet when its code ran before. Such a file is
 * loaded anew for each of its mutants.
 */
function remembers(file: string): boolean {
  const code = readFileSync(file, 'utf8')
  return /^(?:export )?(?:const|let) \w+ = (?:lazy|createLatest|new (?:Weak)?Map)\b/m.test(code)
}

function asStatic({ activeMutant, hitLimit }: Asked): Asked {
  return { activeMutant, mutantActivation: 'static', ...(hitLimit === undefined ? {} : { hitLimit }) }
}

function createRunner(injector: { injectFunction(factory: unknown): unknown }): unknown {
  const inner = injector.injectFunction(vitestPlugins[0]?.factory) as VitestRunner
  const pool = createKeptPool()
  let all: TestSpecification[] = []
  let isTouched = false
  let tried = 0

  /** Has the worker load the project's modules anew when they were, or are to be, loaded with a mutant. */
  function loadAnew(isStatic: boolean): void {
    if (isStatic || isTouched) for (const file of filesOfProject()) inner.ctx.watcher.invalidates.add(file)
    isTouched = isStatic
  }

  /** Runs tests with a mutant, or with none, file by file until one fails. */
  async function runTests(asked: Asked, activeMutant: string, { files, names }: Choice): Promise<Answer> {
    const { ctx } = inner
    const hitLimit = asked.hitLimit === undefined ? undefined : Math.ceil(asked.hitLimit / SOONER)
    const given = { mode: 'mutant', hitLimit, mutantActivation: asked.mutantActivation, activeMutant }
    for (const [key, value] of Object.entries(given)) ctx.provide(key as never, value as never)
    const [project] = ctx.projects
    if (project) Object.assign(project.config, { testNamePattern: names })
    let nrOfTests = 0
    for (const file of files) {
      inner.resetContext()
      await ctx.runTestSpecifications(all.filter(({ moduleId }) => moduleId === file))
      const hits = inner.readHitCount()
      if (hitLimit !== undefined && hits > hitLimit) {
        return { status: 'timeout', reason: `passed ${hits} times` }
      }
      const answer = answerOf(ctx.state.getTestModules())
      nrOfTests += answer.nrOfTests
      if (answer.status === 'killed') return { ...answer, nrOfTests }
    }
    return { status: 'survived', nrOfTests }
  }

  /** Whether the test that killed a mutant fails without one too: then an earlier mutant left something behind. */
  async function failsAnyway(asked: Asked, killedBy: string | undefined): Promise<boolean> {
    if (asked.testFilter === undefined || killedBy === undefined) return false
    const choice = choose({ testFilter: [killedBy], source: asked.activeMutant.fileName }, [])
    return (await runTests(asked, 'none', choice)).status === 'killed'
  }

  async function mutantRun(wanted: Asked): Promise<Answer> {
    const { id, fileName } = wanted.activeMutant
    const asked = remembers(fileName) ? asStatic(wanted) : wanted
    if (all.length === 0) all = await inner.ctx.globTestSpecifications()
    const files = all.map(({ moduleId }) => moduleId)
    const choice = choose({ testFilter: asked.testFilter, source: fileName }, files)
    tried += 1
    if (tried % MOST_MUTANTS === 0) await pool.end()
    loadAnew(asked.mutantActivation === 'static')
    const answer = await runTests(asked, id, choice)
    if (answer.status !== 'killed' || !(await failsAnyway(asked, answer.killedBy[0]))) return answer
    loadAnew(true)
    return runTests(asked, id, choice)
  }

  return {
    capabilities: () => inner.capabilities(),
    async init() {
      await inner.init()
      for (const { config } of inner.ctx.projects) {
        Object.assign(config, { pool: pool.name, poolRunner: pool })
      }
    },
    async dryRun(options: unknown) {
      const result = await inner.dryRun(options)
      await pool.end()
      return result
    },
    mutantRun,
    async dispose() {
      await pool.end()
      await inner.dispose()
    },
  }
}
createRunner.inject = ['$injector'] as const

/** What the run of some modules says of the mutant. A module that cannot be loaded notices it too. */
function answerOf(modules: readonly TestModule[]): Exclude<Answer, { status: 'timeout' }> {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const failed = tests.find((one) => one.result().state === 'failed')
  const broken = modules.find((module) => module.errors().length > 0)
  const nrOfTests = tests.filter((one) => ['failed', 'passed'].includes(one.result().state)).length
  if (!failed && !broken) return { status: 'survived', nrOfTests }
  const errors = failed ? failed.result().errors : broken?.errors()
  const killedBy = failed ? [idOf(failed)] : []
  return { status: 'killed', killedBy, failureMessage: errors?.[0]?.message ?? '', nrOfTests }
}

/** The id of a test, as Stryker's dry run tells it. */
function idOf(one: TestCase): string {
  const names = [one.name]
  for (let above = one.parent; above.type === 'suite'; above = above.parent) names.unshift(above.name)
  return `${relative(process.cwd(), one.module.moduleId)}#${names.join(' ').trim()}`
}

/** Found by Stryker: the runner `kept`, who tells of survivors, and which strings are left out. */
export const strykerPlugins = [
  { kind: 'TestRunner', name: 'kept', factory: createRunner },
  { kind: 'Reporter', name: 'survivors', factory: createSurvivorsReporter },
  { kind: 'Ignore', name: 'texts', value: texts },
]
