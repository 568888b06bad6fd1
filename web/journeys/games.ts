import assert from 'node:assert/strict'
import type { ElementHandle, Page } from 'playwright-core'
import sharp from 'sharp'
import type { Member } from './stage.ts'
import { publishFiles } from './stage.ts'

/** Maximum milliseconds to wait for a game. The Flash player is a large download and slow to start. */
const SLOW_MS = 45_000
/** Size of the test film in pixels. */
const FILM = { width: 550, height: 400 }
/** HTML game with a red background, which is green while the right arrow key is down. */
export const PAGE = `<!doctype html><title>Lights</title><style>html { background: #d03030 }</style><script>
const show = (colour) => { document.documentElement.style.background = colour }
addEventListener('keydown', ({ key }) => key === 'ArrowRight' && show('#30d030'))
addEventListener('keyup', () => show('#d03030'))
</script>`

export const middle = ({ width, height }: Size) => ({ x: width / 2, y: height / 2 })
/**
 * Returns the initial position of the yellow box, which is near the corner of the test film. The film is scaled to
 * fit the stage.
 */
export const nearCorner = ({ width, height }: Size) => {
  const scale = Math.min(width / FILM.width, height / FILM.height)
  return {
    x: (width - FILM.width * scale) / 2 + 30 * scale,
    y: (height - FILM.height * scale) / 2 + 40 * scale,
  }
}

interface Size {
  width: number
  height: number
}

export async function publish(
  member: Member,
  { title, bytes }: { title: string; bytes: Buffer },
): Promise<string> {
  return (await publishFiles(member, title, [bytes], { category: 'jump', type: 'game' })).id
}

export async function playsOf({ plaza }: Member, id: string): Promise<number> {
  return (await plaza.games.get(id)).game.play_count
}

/**
 * Returns the frame of a game, after pressing Play if a title is given. Asserts that the frame is sandboxed
 * and has another origin.
 */
export async function start(page: Page, title?: string): Promise<ElementHandle> {
  if (title) await page.getByRole('button', { name: `Play ${title}` }).click()
  const frame = await page.waitForSelector('iframe')
  const [sandbox, src] = await frame.evaluate((element: HTMLIFrameElement) => [
    element.sandbox.value,
    element.src,
  ])
  assert.equal(sandbox, 'allow-scripts allow-pointer-lock allow-orientation-lock')
  assert.notEqual(new URL(src ?? '').origin, new URL(page.url()).origin)
  return frame
}

export async function untilSeen(
  page: Page,
  game: ElementHandle,
  place: (size: Size) => { x: number; y: number },
  colour: string,
): Promise<void> {
  const isSeen = async () => {
    const box = await game.boundingBox()
    if (!box) return false
    const { x, y } = place(box)
    const clip = { x: box.x + x, y: box.y + y, width: 1, height: 1 }
    const { data } = await sharp(await page.screenshot({ clip }))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return nameOf([...data]) === colour
  }
  const deadline = Date.now() + SLOW_MS
  while (!(await isSeen())) assert.ok(Date.now() < deadline, `expected ${colour} in the game`)
}

function nameOf([red = 0, green = 0, blue = 0]: number[]): string {
  if (red > 200 && green > 150 && blue < 100) return 'yellow'
  if (red > 150 && green < 100) return 'red'
  if (green > 150 && red < 100) return 'green'
  return blue > 120 && red < 100 ? 'blue' : 'other'
}
