import { openPicture } from '../pictures/libvips.ts'

/** Bits of entropy below which a picture shows nothing: one colour, with a speck on it perhaps. */
const NOTHING = 0.01

/** How much there is to be seen on a picture: the entropy of its brightness in bits, 0 for nothing. */
export async function readDetail(source: string | Buffer): Promise<number> {
  const picture = await openPicture(source)
  const { entropy } = await picture.stats()
  return entropy < NOTHING ? 0 : entropy
}
