/** A set of matching colours. */
export interface Palette {
  /** Colours of the sky from top to bottom. */
  sky: readonly string[]
  /** Sun or moon. */
  light: string
  /** Colours of distant and of near objects. */
  far: string
  near: string
  accents: readonly string[]
  isNight: boolean
}

export const DAYS: readonly Palette[] = [
  {
    sky: ['#2b4c7e', '#e88d67', '#ffd9a0'],
    light: '#fff1cf',
    far: '#c9797a',
    near: '#2a2342',
    accents: ['#f4a259', '#bc4b51', '#5b8e7d', '#f4e285', '#8cb369'],
    isNight: false,
  },
  {
    sky: ['#7fb7d6', '#cfe8ee', '#fdf3dc'],
    light: '#fffdf2',
    far: '#a9c9c6',
    near: '#1f4e4f',
    accents: ['#2a9d8f', '#e9c46a', '#f4a261', '#e76f51', '#264653'],
    isNight: false,
  },
  {
    sky: ['#5f4b8b', '#d98fb0', '#ffd6cf'],
    light: '#fff0e6',
    far: '#b783ad',
    near: '#332a56',
    accents: ['#e0aaff', '#c77dff', '#ff99c8', '#fcf6bd', '#5a189a'],
    isNight: false,
  },
  {
    sky: ['#f2a65a', '#f7c873', '#fdeec4'],
    light: '#ffffff',
    far: '#d9995b',
    near: '#58372b',
    accents: ['#772f1a', '#f58549', '#f2a65a', '#eec170', '#585123'],
    isNight: false,
  },
  {
    sky: ['#4f9d9d', '#a7d7c5', '#f6f1d1'],
    light: '#fffbe6',
    far: '#8fc0a9',
    near: '#234f3f',
    accents: ['#68b0ab', '#c8d5b9', '#faf3dd', '#f19c79', '#4a7c59'],
    isNight: false,
  },
  {
    sky: ['#f08a8a', '#f9c6b4', '#fff1e1'],
    light: '#fffaf0',
    far: '#d98c8c',
    near: '#5c2c47',
    accents: ['#ef476f', '#ffd166', '#06d6a0', '#118ab2', '#073b4c'],
    isNight: false,
  },
]

export const NIGHTS: readonly Palette[] = [
  {
    sky: ['#050b24', '#152b5c', '#3f5f9a'],
    light: '#f5f0d8',
    far: '#34507f',
    near: '#060b1c',
    accents: ['#ffd37a', '#7fd1ff', '#ff8fab', '#b8f2e6', '#faf3dd'],
    isNight: true,
  },
  {
    sky: ['#12061f', '#4a1758', '#c6426e'],
    light: '#ffe3d1',
    far: '#7b2a63',
    near: '#16071f',
    accents: ['#ff6b9d', '#ffc857', '#6ee7f2', '#c492ff', '#fff1e6'],
    isNight: true,
  },
  {
    sky: ['#03181f', '#0d4147', '#3b8f83'],
    light: '#e9fff4',
    far: '#2a6b66',
    near: '#041013',
    accents: ['#9cf6b4', '#5eead4', '#fef08a', '#f9a8d4', '#e0f2fe'],
    isNight: true,
  },
  {
    sky: ['#0a0a18', '#22223f', '#5b4b7a'],
    light: '#f2e9ff',
    far: '#453a66',
    near: '#0a0912',
    accents: ['#f6bd60', '#84a59d', '#f28482', '#a2d2ff', '#f7ede2'],
    isNight: true,
  },
]

export const PALETTES: readonly Palette[] = DAYS.flatMap((day, at) => {
  const night = NIGHTS[at]
  return night ? [day, night] : [day]
})
