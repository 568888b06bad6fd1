import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TEXT = /\.(?:js|css|html|svg|json)$/

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Compresses text files to `.br` and `.gz` files next to them. Skips files that would not become smaller. */
export async function compressTexts(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!TEXT.test(name)) continue
    const file = join(folder, name)
    const bytes = await readFile(file)
    const quality = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    const [br, gz] = await Promise.all([
      toBrotli(bytes, { params: quality }),
      toGzip(bytes, { level: 9 }),
    ])
    if (br.length < bytes.length) await writeFile(`${file}.br`, br)
    if (gz.length < bytes.length) await writeFile(`${file}.gz`, gz)
  }
}
