import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Actor, Anyone, Loose } from './app.ts'
import { dataOf, makeContent } from './make.ts'
import { makeUpload } from './uploads.ts'

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
  for (const start = Date.now(); ; ) {
    const conversion = await conversionOf(caller, content)
    if (['completed', 'failed', 'not_required'].includes(conversion.status)) return conversion
    assert.ok(
      Date.now() - start < PATIENCE_MS,
      `the conversion did not finish: ${JSON.stringify(conversion)}`,
    )
    await new Promise((done) => setTimeout(done, 50))
  }
}

export async function contentOf(caller: Anyone, { id }: { id: string }): Promise<Loose> {
  return dataOf(await caller.get(`/contents/${id}`)).content
}
