type Rgb = readonly [red: number, green: number, blue: number]

/**
 * Colours of both themes, as in tokens.css. `surfaces`: backgrounds behind text in the accent colour. `on`: colour of
 * text on the accent colour. `pole`: colour that is mixed into an unreadable accent colour. `soft`: share of the accent
 * colour in the soft background.
 */
export const THEMES = {
  light: { surfaces: ['#f7f6f3', '#fdfcfa', '#efede8'], pole: '#000000', on: '#fbfbff', soft: 0.1 },
  dark: { surfaces: ['#121214', '#1a1a1d', '#242428'], pole: '#ffffff', on: '#10131c', soft: 0.2 },
} as const

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const READABLE = 4.5
/** Share of `pole` that each attempt adds to an unreadable accent colour. */
const STEP = 0.02

/**
 * Returns shades of a colour (`#rrggbb`) for a theme. `accent`: closest shade that is readable as text on all surfaces,
 * and behind text in the colour `on`. `soft`: background colour.
 */
export function shadesOf(colour: string, theme: keyof typeof THEMES) {
  const { surfaces, pole, on, soft: share } = THEMES[theme]
  const soft = mix(surfaces[1], colour, share)
  const grounds = [...surfaces, soft, on]
  for (let step = 0; ; step += STEP) {
    const accent = mix(colour, pole, Math.min(step, 1))
    if (step >= 1 || grounds.every((ground) => contrast(accent, ground) >= READABLE)) {
      return { accent, soft, on }
    }
  }
}

/**
 * Returns the design tokens of an accent colour for both themes. Returns none for null, which means the default
 * colour.
 */
export function tokensOf(colour: string | null): Record<string, string> {
  if (colour === null) return {}
  const [light, dark] = [shadesOf(colour, 'light'), shadesOf(colour, 'dark')]
  return {
    '--accent': `light-dark(${light.accent}, ${dark.accent})`,
    '--accent-soft': `light-dark(${light.soft}, ${dark.soft})`,
    '--on-accent': `light-dark(${light.on}, ${dark.on})`,
  }
}

/** Returns the contrast ratio of two colours as in WCAG 2.2, from 1 to 21. */
export function contrast(left: string, right: string): number {
  const [low = 0, high = 0] = [luminance(left), luminance(right)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Mixes two colours. `share` is the proportion of the second colour, from 0 to 1. */
function mix(first: string, second: string, share: number): string {
  const others = channelsOf(second)
  const mixed = channelsOf(first).map((channel, index) => {
    const target = others[index] ?? 0
    return Math.round(channel + (target - channel) * share)
  })
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function channelsOf(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}
