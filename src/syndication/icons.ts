import { hash } from 'node:crypto'
import type { Handle } from '../db/handle.ts'
import { openPicture } from '../pictures/libvips.ts'
import { findSite } from '../settings/queries.ts'
import { ACCENT, CANVAS, type Fixed, settingsOf } from '../site-settings.ts'
import { servedAs } from '../storage/file-types.ts'
import { StorageUnavailable, type Store } from '../storage/store.ts'
import { isAnyBlocked } from '../uploads/queries.ts'

interface Shape {
  /** Width and height in pixels. */
  size: number
  /**
   * Fraction of the side that the logo takes. Set only for opaque icons, which the system crops. In a maskable icon,
   * only a circle with a diameter of 80 percent of the side is always visible.
   */
  logoShare?: number
}

/** The icons by path. All are PNG files, even `/favicon.ico`, because browsers ignore the extension. */
export const ICONS: Readonly<Record<string, Shape>> = {
  '/favicon.ico': { size: 48 },
  '/icon-192.png': { size: 192 },
  '/icon-512.png': { size: 512 },
  '/icon-maskable-512.png': { size: 512, logoShare: 0.56 },
  '/apple-touch-icon.png': { size: 180, logoShare: 0.8 },
}

const UPLOADS = '/uploads/'
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }

interface Icon {
  bytes: Buffer
  /** Strong ETag in quotes. */
  etag: string
}

/**
 * Icons of the site as PNG, made from its logo. Without a usable logo file, they show the built-in icon in the accent
 * colour.
 */
export class Icons {
  readonly #deps: { db: Handle; store: Store; config: Fixed }
  /** Logo and accent colour of the icons in `#made`. */
  #source = ''
  readonly #made = new Map<string, Promise<Icon>>()

  constructor(deps: { db: Handle; store: Store; config: Fixed }) {
    this.#deps = deps
  }

  async find(path: string): Promise<Icon> {
    const { db, config } = this.#deps
    const row = await findSite(db)
    const accent = settingsOf(row, config).accent ?? ACCENT
    const logo = await this.#findLogo(row.logo_url)
    const source = `${logo} ${accent}`
    if (source !== this.#source) {
      this.#source = source
      this.#made.clear()
    }
    const known = this.#made.get(path)
    if (known) return known
    const made = this.#make(ICONS[path] as Shape, logo, accent)
    this.#made.set(path, made)
    // Removes a failed result, so that the next request makes the icon again.
    made.catch(() => this.#made.get(path) === made && this.#made.delete(path))
    return made
  }

  /** Returns the path of the logo in the storage, unless its file is blocked or is no picture. */
  async #findLogo(url: string | null): Promise<string | undefined> {
    if (!url?.startsWith(UPLOADS)) return undefined
    const path = url.slice(UPLOADS.length)
    if (!servedAs(path)?.isShown) return undefined
    return (await isAnyBlocked(this.#deps.db, [path.slice(0, 64)])) ? undefined : path
  }

  async #make(shape: Shape, logo: string | undefined, accent: string): Promise<Icon> {
    const bytes = await this.#draw(shape, logo, accent)
    return { bytes, etag: `"${hash('sha1', bytes, 'base64url')}"` }
  }

  async #draw(shape: Shape, logo: string | undefined, accent: string): Promise<Buffer> {
    const { store } = this.#deps
    const fitted =
      logo === undefined
        ? undefined
        : await store
            .withLocalFile(logo, (local) => fit(local, shape))
            .catch((error: unknown) => {
              if (error instanceof StorageUnavailable) throw error
            })
    return fitted ?? (await (await openPicture(drawMark(shape, accent))).png().toBuffer())
  }
}

/** Returns a logo as a square PNG. Errors: an Error for a damaged picture. */
async function fit(localFile: string, { size, logoShare }: Shape): Promise<Buffer> {
  const side = Math.round(size * (logoShare ?? 1))
  const [before, after] = [Math.floor((size - side) / 2), Math.ceil((size - side) / 2)]
  const background = logoShare === undefined ? CLEAR : CANVAS
  const picture = await openPicture(localFile)
  if (logoShare !== undefined) picture.flatten({ background })
  return picture
    .resize(side, side, { fit: 'contain', background })
    .extend({ top: before, left: before, bottom: after, right: after, background })
    .png()
    .toBuffer()
}

/** Brightness, from 0 to 255, above which a dark letter is easier to read on a colour than a light one. */
const BRIGHT = 150

/** Returns the built-in icon, a letter P, as SVG. The letter lies within the visible part of a maskable icon. */
function drawMark({ size, logoShare }: Shape, accent: string): Buffer {
  const [red = 0, green = 0, blue = 0] = Buffer.from(accent.slice(1), 'hex')
  const letter = red * 0.299 + green * 0.587 + blue * 0.114 > BRIGHT ? '#10131c' : '#fbfbff'
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="${size}" height="${size}">
<rect width="32" height="32" rx="${logoShare === undefined ? 9 : 0}" fill="${accent}"/>
<path d="M10 24V9.5A1.5 1.5 0 0 1 11.5 8H17a5.5 5.5 0 0 1 0 11h-3.500" fill="none" stroke="${letter}" stroke-width="3.200" stroke-linecap="round" stroke-linejoin="round"/>
</svg>`,
  )
}
