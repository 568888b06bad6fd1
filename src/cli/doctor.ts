import type { Config } from '../config-type.ts'
import { requireSchema } from '../db/migrate.ts'
import { examineDatabase, type Findings } from '../doctor/examine.ts'
import { examineErasures } from '../doctor/erasures.ts'
import { examineSealed } from '../doctor/sealed.ts'
import { listWeaknesses } from '../doctor/secrets.ts'
import { examineStorage } from '../doctor/storage.ts'
import { readArgs } from './args.ts'
import { withDatabaseAsItIs } from './database.ts'

interface Report extends Findings {
  ok: boolean
  weaknesses: string[]
  hints: string[]
}

/**
 * Checks the database, the stored files and the secrets without changing them. Sets exit code 1 when there are
 * problems. Errors: those of `withDatabaseAsItIs` and `requireSchema`.
 */
export async function examine(args: string[]): Promise<void> {
  const { values } = readArgs(args, {
    options: {
      files: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const report = await withDatabaseAsItIs(async ({ db, config }) => {
    await requireSchema(db)
    const findings = await examineDatabase(db)
    findings.damage.push(...(await examineSealed(db, config.encryptionKey)))
    findings.damage.push(...(await examineErasures(db, config.dataDir)))
    findings.damage.push(...(await examineStorage(db, config, { reads: values.files })))
    return toReport(findings, listWeaknesses(config), config)
  })
  console.log(values.json ? JSON.stringify(report) : toText(report))
  if (!report.ok) process.exitCode = 1
}

function toReport(
  findings: Findings,
  weaknesses: string[],
  { web, publicUrl }: Pick<Config, 'web' | 'publicUrl'>,
): Report {
  const drifted = findings.counts.some(({ drift }) => drift > 0)
  const ok = !drifted && findings.damage.length === 0 && weaknesses.length === 0
  const { admins, overdue } = findings
  const hints = []
  if (admins === 0) {
    hints.push(
      'no administrator exists: run plaza user create … --admin, or plaza user promote HANDLE',
    )
  }
  if (overdue > 0) {
    hints.push(
      `${overdue} jobs have been due for more than an hour: is a server or worker running?`,
    )
  }
  if (web && publicUrl === undefined) {
    hints.push('PUBLIC_URL is not set: search engines are asked to leave the site out')
  }
  return { ok, ...findings, weaknesses, hints }
}

function toText({ ok, engine, schema, counts, damage, weaknesses, hints }: Report): string {
  const drifted = counts.filter(({ drift }) => drift > 0)
  return [
    `${engine}, schema ${schema}`,
    `${counts.length} counts checked, ${drifted.length} drifted`,
    ...drifted.map(
      ({ name, drift, example }) => `drifted: ${name}, ${drift} rows, such as ${example}`,
    ),
    ...damage.map((text) => `damaged: ${text}`),
    ...weaknesses.map((text) => `weak: ${text}`),
    ...hints.map((text) => `hint: ${text}`),
    ok ? 'all is well' : 'problems found, see above',
  ].join('\n')
}
