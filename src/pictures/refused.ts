import type { Problem } from '../errors.ts'

/** The error for a rejected picture. Uploads report it as 422 for their file field. */
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
