import { readFileSync } from 'node:fs'
import type { Actor, Anyone, Loose } from './app.ts'
import { dataOf, makeContent } from './make.ts'
import { makeUpload } from './uploads.ts'
import { until } from './receiver.ts'

const PATIENCE_MS = 120_000

export async function makeMediaContent(
  creator: Actor,
  files: readonly (string | Buffer)[],
  over: Record<string, unknown> = {},
): Promise<Loose> {
  const upload_ids = []
  for (const file of files) {
    const bytes = typeof file === 'string' ? readFileSync(file) : file
    upload_ids.push((await makeUpload(creator, bytes)).id)
  }
  return makeContent(creator, { type: 'video', upload_ids, ...over })
}

export async function conversionOf(
  caller: Anyone,
  { id }: { id: string },
  language = 'en',
): Promise<Loose> {
  const headers = { 'accept-language': language }
  return dataOf(await caller.get(`/contents/${id}/conversion`, { headers })).conversion
}

/** Waits until the conversion has completed or failed, or is not required. Returns its state. */
export async function untilConverted(caller: Anyone, content: { id: string }): Promise<Loose> {
  let conversion: Loose
  const isOver = async () => {
    conversion = await conversionOf(caller, content)
    return ['completed', 'failed', 'not_required'].includes(conversion.status)
  }
  await until(isOver, 'the end of the conversion', PATIENCE_MS)
  return conversion
}

export async function contentOf(caller: Anyone, { id }: { id: string }): Promise<Loose> {
  return dataOf(await caller.get(`/contents/${id}`)).content
}
