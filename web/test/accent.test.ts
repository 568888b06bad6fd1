import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { contrast, shadesOf, THEMES } from '../src/device/accent.ts'

const TOKENS = readFileSync(new URL('../src/styles/tokens.css', import.meta.url), 'utf8')
const LEVELS = Array.from({ length: 16 }, (_, level) => (level * 17).toString(16).padStart(2, '0'))
const COLOURS = LEVELS.flatMap((red) =>
  LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`)),
)
const themes = ['light', 'dark'] as const

test('computes contrast as WCAG does', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
})

test('derives shades of every colour that are readable on all surfaces and under text', () => {
  assert.equal(COLOURS.length, 4096)
  for (const theme of themes) {
    for (const colour of COLOURS) {
      const { accent, soft, on } = shadesOf(colour, theme)
      for (const ground of [...THEMES[theme].surfaces, soft, on]) {
        const ratio = contrast(accent, ground)
        assert.ok(ratio >= 4.5, `${colour} in ${theme}: ${accent} on ${ground} has ${ratio}`)
      }
    }
  }
})

test('keeps a colour that is readable', () => {
  assert.equal(shadesOf('#2b59c3', 'light').accent, '#2b59c3')
  assert.equal(shadesOf('#8fb0ff', 'dark').accent, '#8fb0ff')
})

test('uses the surfaces of the design tokens', () => {
  for (const [index, theme] of themes.entries()) {
    const colours = ['canvas', 'surface', 'sunken'].map(
      (name) => new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(TOKENS)?.[index + 1],
    )
    assert.deepEqual(colours, THEMES[theme].surfaces)
  }
})
