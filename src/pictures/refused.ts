import type { Problem } from '../errors.ts'

/** Rejects a picture. It becomes a 422 on the field of the upload. */
export class PictureRefused extends Error {
  override name = 'PictureRefused'
  readonly key: Extract<Problem['key'], `invalid.picture${string}`>
  readonly params: Record<string, string | number>

  constructor(
    key: PictureRefused['key'],
    params: PictureRefused['params'] = {},
    options?: ErrorOptions,
  ) {
    super(key, options)
    this.key = key
    this.params = params
  }
}
