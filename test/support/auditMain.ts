// Owns `npm run audit`: asks the registry for known defects of what is installed with the package, and fails on any.
import { spawnSync } from 'node:child_process'
import { auditVerdict } from './audit.ts'

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' })
const { verdict, line } = auditVerdict(stdout)
process.stdout.write(`${line}\n`)
process.exitCode = verdict === 'findings' ? 1 : 0
