export interface Palette {
  sky: readonly [string, string, string]
  light: string
  far: string
  near: string
  accents: readonly [string, string, string, string, string]
  isNight: boolean
}

/**
 * Each palette lists its colours in the order of `Palette`: three of the sky, the light, far and near land, and five
 * accents. The last four palettes are for night scenes.
 */
export const PALETTES = [
  '#2b4c7e #e88d67 #ffd9a0 #fff1cf #c9797a #2a2342 #f4a259 #bc4b51 #5b8e7d #f4e285 #8cb369',
  '#7fb7d6 #cfe8ee #fdf3dc #fffdf2 #a9c9c6 #1f4e4f #2a9d8f #e9c46a #f4a261 #e76f51 #264653',
  '#5f4b8b #d98fb0 #ffd6cf #fff0e6 #b783ad #332a56 #e0aaff #c77dff #ff99c8 #fcf6bd #5a189a',
  '#f2a65a #f7c873 #fdeec4 #ffffff #d9995b #58372b #772f1a #f58549 #f2a65a #eec170 #585123',
  '#4f9d9d #a7d7c5 #f6f1d1 #fffbe6 #8fc0a9 #234f3f #68b0ab #c8d5b9 #faf3dd #f19c79 #4a7c59',
  '#f08a8a #f9c6b4 #fff1e1 #fffaf0 #d98c8c #5c2c47 #ef476f #ffd166 #06d6a0 #118ab2 #073b4c',
  '#050b24 #152b5c #3f5f9a #f5f0d8 #34507f #060b1c #ffd37a #7fd1ff #ff8fab #b8f2e6 #faf3dd',
  '#12061f #4a1758 #c6426e #ffe3d1 #7b2a63 #16071f #ff6b9d #ffc857 #6ee7f2 #c492ff #fff1e6',
  '#03181f #0d4147 #3b8f83 #e9fff4 #2a6b66 #041013 #9cf6b4 #5eead4 #fef08a #f9a8d4 #e0f2fe',
  '#0a0a18 #22223f #5b4b7a #f2e9ff #453a66 #0a0912 #f6bd60 #84a59d #f28482 #a2d2ff #f7ede2',
].map((colours, i) => {
  const [top, middle, low, light, far, near, ...accents] = colours.split(' ')
  return {
    sky: [top, middle, low],
    light,
    far,
    near,
    accents,
    isNight: i > 5,
  } as unknown as Palette
})
