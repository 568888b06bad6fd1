import { createHash } from 'node:crypto'

const SIZES = { landscape: [640, 360], portrait: [360, 640] } as const
const SHAPES = 14

/**
 * Returns a drawing as SVG that depends only on the arguments. It contains no text, because the available fonts
 * are unknown.
 */
export function drawCard(id: string, isPortrait: boolean): Buffer {
  const [width, height] = SIZES[isPortrait ? 'portrait' : 'landscape']
  const dice = diceOf(id)
  const hue = Math.floor(dice() * 360)
  const shapes = Array.from({ length: SHAPES }, () => {
    const x = Math.round(dice() * width)
    const y = Math.round(dice() * height)
    const size = Math.round(30 + dice() * 110)
    const colour = `hsl(${(hue + Math.floor(dice() * 90)) % 360}, 70%, ${Math.round(45 + dice() * 30)}%)`
    return shape(Math.floor(dice() * 3), { x, y, size, colour })
  })
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><linearGradient id="sky" x2="1" y2="1">
<stop stop-color="hsl(${hue}, 60%, 24%)"/><stop offset="1" stop-color="hsl(${(hue + 60) % 360}, 65%, 40%)"/>
</linearGradient></defs>
<rect width="100%" height="100%" fill="url(#sky)"/>
<g opacity="0.55">${shapes.join('')}</g>
<g transform="translate(${width / 2} ${height / 2})">${PAD}</g>
</svg>`,
  )
}

const PAD = `<rect x="-90" y="-50" width="180" height="100" rx="46" fill="#fff" fill-opacity="0.92"/>
<path d="M-62-9h12v-12h18v12h12v18h-12v12h-18v-12h-12z" fill="#222"/>
<circle cx="38" cy="14" r="11" fill="#222"/><circle cx="60" cy="-12" r="11" fill="#222"/>`

function shape(
  kind: number,
  { x, y, size, colour }: { x: number; y: number; size: number; colour: string },
): string {
  if (kind === 0) return `<circle cx="${x}" cy="${y}" r="${size / 2}" fill="${colour}"/>`
  if (kind === 1) {
    return `<rect x="${x - size / 2}" y="${y - size / 2}" width="${size}" height="${size}" rx="12" fill="${colour}"/>`
  }
  return `<path d="M${x} ${y - size / 2}l${size / 2} ${size}h-${size}z" fill="${colour}"/>`
}

function diceOf(text: string): () => number {
  let index = 0
  let bytes = createHash('sha256').update(text).digest()
  return () => {
    if (index === bytes.length) {
      bytes = createHash('sha256').update(bytes).digest()
      index = 0
    }
    return (bytes[index++] as number) / 256
  }
}
