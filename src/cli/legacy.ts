import { createReadStream } from 'node:fs'
import { checkEmail } from '../auth/schema.ts'
import type { Handle } from '../db/handle.ts'
import type { Problem } from '../errors.ts'
import { isStorable } from '../http/text.ts'
import { insertLegacyAccount } from '../users/accounts.ts'
import { HANDLE, keyOf } from '../users/schema.ts'
import { readArgs } from './args.ts'
import { type CsvRow, readCsv } from './csv.ts'
import { withDatabase } from './database.ts'

const BATCH = 500

interface LegacyAccount {
  handle: string
  email: string
}

export async function importLegacy(args: string[]): Promise<void> {
  const [file = ''] = readArgs(args, { options: {}, words: ['FILE.csv'] }).words
  const counts = { imported: 0, present: 0, refused: 0 }
  await withDatabase(async ({ db }) => {
    let batch: LegacyAccount[] = []
    const flush = async () => {
      const imported = await insertAll(db, batch)
      counts.imported += imported
      counts.present += batch.length - imported
      batch = []
    }
    for await (const { line, account, fault } of readAccounts(file)) {
      if (account) batch.push(account)
      else {
        counts.refused++
        console.error(`line ${line}: ${fault}`)
      }
      if (batch.length === BATCH) await flush()
    }
    await flush()
  })
  const { imported, present, refused } = counts
  console.log(`${imported} imported, ${present} already present, ${refused} rejected`)
}

function insertAll(db: Handle, accounts: LegacyAccount[]): Promise<number> {
  return db.transaction(async (tx) => {
    let inserted = 0
    const now = Date.now()
    for (const account of accounts) if (await insertLegacyAccount(tx, account, now)) inserted++
    return inserted
  })
}

interface Read {
  line: number
  account?: LegacyAccount
  fault?: string
}

async function* readAccounts(file: string): AsyncGenerator<Read> {
  let columns: { handle: number; email: number } | undefined
  for await (const row of readCsv(createReadStream(file, 'utf8'))) {
    if (columns) yield toAccount(row, columns)
    else columns = columnsOf(row)
  }
  if (!columns) throw new Error(`${file} is empty`)
}

function columnsOf({ line, fields }: CsvRow) {
  const names = fields.map((name) => name.trim().toLowerCase())
  const columns = { handle: names.indexOf('handle'), email: names.indexOf('email') }
  if (columns.handle < 0 || columns.email < 0) {
    throw new Error(`line ${line}: the header must name the columns handle and email`)
  }
  return columns
}

function toAccount({ line, fields }: CsvRow, columns: { handle: number; email: number }): Read {
  const [handle = '', email = ''] = [fields[columns.handle], fields[columns.email]].map((text) =>
    keyOf((text ?? '').normalize('NFC').trim()),
  )
  const problems: Problem[] = []
  checkEmail(email, problems)
  // Prints the text as JSON, so that control characters cannot affect the terminal.
  if (!HANDLE.test(handle)) return { line, fault: `${JSON.stringify(handle)} is not a handle` }
  if (problems.length > 0 || !isStorable(email)) {
    return { line, fault: `${JSON.stringify(email)} is not an email address` }
  }
  return { line, account: { handle, email } }
}
