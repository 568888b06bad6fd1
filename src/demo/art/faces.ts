/** Draws portraits of invented people from simple shapes. */
import type { Random } from '../random.ts'
import { circle, gradient, mix, path, rect, svg } from './svg.ts'

const SIDE = 320
const GROUNDS = [
  '#f6bd60',
  '#84a59d',
  '#f28482',
  '#a2d2ff',
  '#cdb4db',
  '#b7e4c7',
  '#ffc8dd',
  '#90be6d',
  '#577590',
  '#f9844a',
  '#7b2cbf',
  '#2a9d8f',
]
const SKINS = ['#ffe0c7', '#f3c9a5', '#e0ac7e', '#b98157', '#8d5b3e', '#6b432e']
const HAIRS = [
  '#1d1a22',
  '#3b2a20',
  '#6a4329',
  '#a86b32',
  '#d9a441',
  '#7a7a85',
  '#b23a48',
  '#33407a',
]
const CLOTHES = [
  '#264653',
  '#e76f51',
  '#e9c46a',
  '#457b9d',
  '#6d597a',
  '#386641',
  '#f1faee',
  '#22223b',
]

export function face(random: Random): string {
  const [ground, skin, hair, clothes] = [GROUNDS, SKINS, HAIRS, CLOTHES].map((list) =>
    random.pick(list),
  ) as [string, string, string, string]
  const dark = mix(skin, '#5a2d20', 0.35)
  const style = random.integer(0, 5)
  const eye = random.pick(['#1d1a22', '#2b3a55', '#4a2f1b'])
  return svg(
    { width: SIDE, height: SIDE },
    `<defs>${gradient('ground', [mix(ground, '#ffffff', 0.25), ground], { x2: 1, y2: 1 })}</defs>`,
    rect(0, 0, SIDE, SIDE, 'url(#ground)'),
    back(style, hair),
    path('M60 320C60 252 108 232 160 232S260 252 260 320Z', `fill="${clothes}"`),
    rect(138, 200, 44, 48, dark),
    path('M138 232Q160 262 182 232V246Q160 274 138 246Z', `fill="${skin}"`),
    `<rect x="98" y="82" width="124" height="146" rx="${random.integer(50, 62)}" fill="${skin}"/>`,
    circle([98, 160], 13, skin),
    circle([222, 160], 13, skin),
    front(style, hair),
    ...eyes(random, eye),
    ...mouth(random, dark),
    path(
      'M160 160q7 18 -4 22',
      `fill="none" stroke="${dark}" stroke-width="4" stroke-linecap="round"`,
    ),
    random.chance(0.4)
      ? circle([122, 186], 11, '#ff6b6b', 'fill-opacity="0.3"') +
          circle([198, 186], 11, '#ff6b6b', 'fill-opacity="0.3"')
      : '',
    random.chance(0.28) ? glasses(random.pick(['#1d1a22', '#b23a48', '#457b9d'])) : '',
  )
}

/** Draws the hair behind the head. */
function back(style: number, hair: string): string {
  if (style === 1) return `<rect x="76" y="62" width="168" height="190" rx="76" fill="${hair}"/>`
  if (style === 4) return circle([160, 62], 36, hair)
  return ''
}

function front(style: number, hair: string): string {
  const shapes = [
    'M92 142C88 76 132 62 162 62S234 78 228 142C212 112 190 106 160 106S108 112 92 142Z',
    'M94 150C92 88 124 70 160 70S228 88 226 150C214 120 178 122 152 96C140 122 104 120 94 150Z',
    'M92 132C92 66 148 54 190 66S232 100 228 132C204 130 150 128 128 100C122 122 102 126 92 132Z',
    'M96 118C98 70 140 66 160 66S222 70 224 118C200 92 120 92 96 118Z',
    'M94 136C92 80 132 70 160 70S228 80 226 136C200 104 120 104 94 136Z',
    '',
  ]
  return path(shapes[style] as string, `fill="${hair}"`)
}

function eyes(random: Random, colour: string): string[] {
  if (random.chance(0.2)) {
    return [128, 178].map((x) =>
      path(
        `M${x - 2} 154q8 -9 16 0`,
        `fill="none" stroke="${colour}" stroke-width="5" stroke-linecap="round"`,
      ),
    )
  }
  return [134, 186].flatMap((x) => [
    circle([x, 154], 8, colour),
    circle([x + 3, 151], 2.4, '#ffffff'),
  ])
}

function mouth(random: Random, colour: string): string[] {
  const line = `fill="none" stroke="${mix(colour, '#7a1f2b', 0.5)}" stroke-width="5" stroke-linecap="round"`
  const shapes = ['M142 202q18 16 36 0', 'M146 204q14 8 28 0', 'M148 206h24']
  if (random.chance(0.3))
    return [
      path(
        'M140 198q20 30 40 0Z',
        'fill="#ffffff" stroke="#7a1f2b" stroke-width="4" stroke-linejoin="round"',
      ),
    ]
  return [path(random.pick(shapes), line)]
}

function glasses(colour: string): string {
  const more = `stroke="${colour}" stroke-width="5"`
  return (
    circle([133, 155], 23, 'none', more) +
    circle([187, 155], 23, 'none', more) +
    path('M156 153h8', `${more} fill="none"`)
  )
}
