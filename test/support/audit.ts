// Owns what a report of `npm audit --json` means: nothing found, something found, or no answer from the registry.

/** A verdict, with the one line that says it. */
export interface AuditVerdict {
  verdict: 'clean' | 'findings' | 'unanswered'
  line: string
}

interface Report {
  error?: { code?: unknown; summary?: unknown }
  message?: unknown
  vulnerabilities?: Record<string, { severity?: unknown }>
  metadata?: { vulnerabilities?: Record<string, unknown> }
}

/** Reads what `npm audit --json` wrote. What is no report at all counts as no answer, never as nothing found. */
export function auditVerdict(text: string): AuditVerdict {
  const report = reportOf(text)
  const found = Object.entries(report?.vulnerabilities ?? {})
  if (found.length > 0) {
    const named = found.map(([name, { severity }]) => `${name} (${String(severity)})`).join(', ')
    return { verdict: 'findings', line: `audit: ${found.length} packages with known defects: ${named}` }
  }
  const total = report?.metadata?.vulnerabilities?.['total']
  if (report?.vulnerabilities && total === 0 && !report.error) {
    return { verdict: 'clean', line: 'audit: no known defects in what is installed with the package' }
  }
  if (typeof total === 'number' && total > 0) {
    return { verdict: 'findings', line: `audit: ${total} known defects, which the report does not name` }
  }
  const { code, summary } = report?.error ?? {}
  const why = [code, summary, report?.message].filter((part) => typeof part === 'string' && part !== '')
  const said = why.length === 0 ? 'it said nothing that could be read' : why.join(': ').split('\n')[0]
  return { verdict: 'unanswered', line: `audit: NOT CHECKED, the registry gave no report: ${said}` }
}

function reportOf(text: string): Report | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
