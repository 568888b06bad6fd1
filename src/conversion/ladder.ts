export interface Step {
  /**
   * Name in file names: `720p` when the shorter side has 720 pixels, or `own` for a video smaller than all
   * steps.
   */
  name: string
  /** Width and height are even and at least 2. */
  width: number
  height: number
  kbits: number
}

const STEPS = [
  { side: 1080, kbits: 5000 },
  { side: 720, kbits: 2800 },
  { side: 480, kbits: 1400 },
]
const OWN_KBITS = 1200
/** Maximum longer side in pixels that common decoders support. */
const LONGER_SIDE_MAX = 3840

/**
 * Returns the steps up to the source's size, largest first. Compares the shorter side, so that portrait
 * video is as sharp as landscape. A video smaller than every step keeps its size, rounded down to even sides.
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

/** Rounds a side down to an even number of at least 2, which H.264 in 4:2:0 requires. */
function toEven(side: number): number {
  return Math.max(2, Math.floor((side + 1e-6) / 2) * 2)
}
