import type { Random } from '../random.ts'
import { circle, gradient, mix, line, picture, rect, svg } from './svg.ts'

const SIDE = 320
const colours = (list: string) => list.split(' ').map((colour) => `#${colour}`)
const GROUNDS = colours(
  'f6bd60 84a59d f28482 a2d2ff cdb4db b7e4c7 ffc8dd 90be6d 577590 f9844a 7b2cbf 2a9d8f',
)
const SKINS = colours('ffe0c7 f3c9a5 e0ac7e b98157 8d5b3e 6b432e')
const HAIRS = colours('1d1a22 3b2a20 6a4329 a86b32 d9a441 7a7a85 b23a48 33407a')
const CLOTHES = colours('264653 e76f51 e9c46a 457b9d 6d597a 386641 f1faee 22223b')
const EYES = colours('1d1a22 2b3a55 4a2f1b')
const GLASSES = colours('1d1a22 b23a48 457b9d')
/**
 * SVG paths of the hair in front of the head, by hairstyle. BACKS contains the hair behind the head. The hairstyle
 * `FRONTS.length` is bald.
 */
const FRONTS = [
  'M92 142C88 76 132 62 162 62S234 78 228 142C212 112 190 106 160 106S108 112 92 142Z',
  'M94 150C92 88 124 70 160 70S228 88 226 150C214 120 178 122 152 96C140 122 104 120 94 150Z',
  'M94 136C92 80 132 70 160 70S228 80 226 136C200 104 120 104 94 136Z',
  'M92 132C92 66 148 54 190 66S232 100 228 132C204 130 150 128 128 100C122 122 102 126 92 132Z',
  'M96 118C98 70 140 66 160 66S222 70 224 118C200 92 120 92 96 118Z',
]
const LONG = 'M76 138A84 76 0 0 1 244 138V190A84 62 0 0 1 76 190Z'
const BUN = 'M124 62A36 36 0 0 1 196 62A36 36 0 0 1 124 62Z'
const BACKS = ['', LONG, BUN]
const MOUTHS = ['M142 202q18 16 36 0', 'M146 204q14 8 28 0', 'M148 206h24', 'M140 198q20 30 40 0Z']

export function face(random: Random): string {
  const ground = random.pick(GROUNDS)
  const skin = random.pick(SKINS)
  const hair = random.pick(HAIRS)
  const dark = mix(skin, '#5a2d20', 0.35)
  const cut = random.integer(0, FRONTS.length)
  const eye = random.pick(EYES)
  const isSmiling = random.chance(0.2)
  const eyes = [134, 186].map((x) =>
    isSmiling
      ? svg`<path d="M${x - 8} 156q8 -9 16 0" fill="none" ${line(eye, 5)}/>`
      : circle(x, 154, 8, eye) + circle(x + 3, 151, 2.4, '#ffffff'),
  )
  const rims = line(random.pick(GLASSES), 5)
  const glasses = svg`${circle(133, 155, 23, 'none', rims)}${circle(187, 155, 23, 'none', rims)}<path d="M156 153h8" fill="none" ${rims}/>`
  return picture(
    SIDE,
    SIDE,
    gradient('ground', [mix(ground, '#ffffff', 0.25), ground], 1),
    rect(0, 0, SIDE, SIDE, 'url(#ground)'),
    svg`<path d="${BACKS[cut] ?? ''}" fill="${hair}"/>`,
    svg`<path d="M60 320C60 252 108 232 160 232S260 252 260 320Z" fill="${random.pick(CLOTHES)}"/>`,
    rect(138, 200, 44, 48, dark),
    svg`<path d="M138 232Q160 262 182 232V246Q160 274 138 246Z" fill="${skin}"/>`,
    svg`<rect x="98" y="82" width="124" height="146" rx="${random.integer(50, 62)}" fill="${skin}"/>`,
    circle(98, 160, 13, skin) + circle(222, 160, 13, skin),
    svg`<path d="${FRONTS[cut] ?? ''}" fill="${hair}"/>`,
    ...eyes,
    svg`<path d="${random.pick(MOUTHS)}" fill="none" ${line(mix(dark, '#7a1f2b', 0.5), 5)}/>`,
    svg`<path d="M160 160q7 18 -4 22" fill="none" ${line(dark, 4)}/>`,
    random.chance(0.4) ? [122, 198].map((x) => circle(x, 186, 11, mix(skin, '#ff6b6b', 0.3))) : '',
    random.chance(0.28) ? glasses : '',
  )
}
