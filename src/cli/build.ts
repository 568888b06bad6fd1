import { relative } from 'node:path'
import { buildClient, ROOT } from '../web/build.ts'
import { readArgs } from './args.ts'

export async function buildWebClient(args: string[]): Promise<void> {
  readArgs(args, { options: {} })
  const { folder, isNew } = await buildClient()
  const state = isNew ? 'built the web client' : 'the web client is up to date'
  console.log(`${state}: ${relative(ROOT, folder)}`)
}
