/** Which sizes a video is converted to. */

export interface Step {
  /** In names of files: `720p`, by the shorter side; `own` for a video smaller than all steps. */
  name: string
  /** Even, at least 2. */
  width: number
  height: number
  /** Most of a second, in kbit. */
  kbits: number
}

/** Shorter side, and the most that its picture may take. */
const STEPS = [
  { side: 1080, kbits: 5000 },
  { side: 720, kbits: 2800 },
  { side: 480, kbits: 1400 },
]
const OWN_KBITS = 1200
/** What common decoders take. */
const LONGER_SIDE_MAX = 3840

/**
 * Largest first: the steps that are not above the source, by its shorter side, so that an upright
 * video is as sharp as a lying one; or its own size where it is smaller than all of them.
 */
export function ladderFor(source: { width: number; height: number }): Step[] {
  const shorter = Math.min(source.width, source.height)
  const longer = Math.max(source.width, source.height)
  const steps = STEPS.filter(({ side }) => side <= shorter)
  if (steps.length === 0) return [{ name: 'own', ...sizeAt(source, longer, 1), kbits: OWN_KBITS }]
  return steps.map(({ side, kbits }) => ({
    name: `${side}p`,
    ...sizeAt(source, longer, side / shorter),
    kbits,
  }))
}

function sizeAt(
  { width, height }: { width: number; height: number },
  longer: number,
  wanted: number,
): { width: number; height: number } {
  const scale = Math.min(wanted, LONGER_SIDE_MAX / longer)
  return { width: toEven(width * scale), height: toEven(height * scale) }
}

/** H.264 in 4:2:0 has no odd sides. An odd source loses its last line rather than gains one. */
function toEven(side: number): number {
  return Math.max(2, Math.floor((side + 1e-6) / 2) * 2)
}
