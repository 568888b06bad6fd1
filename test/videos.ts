import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const NO_FFMPEG: string | false =
  spawnSync('ffmpeg', ['-version']).status === 0 ? false : 'ffmpeg is not installed'

const folder = mkdtempSync(join(tmpdir(), 'plaza-videos-'))
// Cleans up at process exit instead of in a test hook, because the fault runs use this module without hooks.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
let made = 0

export function ffmpeg(ending: string, ...args: readonly (string | readonly string[])[]): string {
  const file = join(folder, `${++made}.${ending}`)
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args.flat(), file], { stdio: 'pipe' })
  return file
}

interface Video {
  size?: string
  seconds?: number
  rate?: number
  sound?: boolean
  picture?: string
  ending?: string
  args?: string[]
}

let seed = 0

/** Returns the path of a video with unique bytes. */
export function makeVideo(video: Video = {}): string {
  const { size = '64x48', seconds = 1, rate = 10, sound = true, ending = 'mp4', args = [] } = video
  const picture = video.picture ?? 'testsrc'
  const codec =
    ending === 'webm'
      ? ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus']
      : ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
  const input = `${picture}${picture.includes('=') ? ':' : '='}size=${size}:rate=${rate}:duration=${seconds}`
  const tone = `sine=frequency=${200 + ++seed}:duration=${seconds}`
  return ffmpeg(
    ending,
    ['-f', 'lavfi', '-i', input],
    sound ? ['-f', 'lavfi', '-i', tone] : [],
    ['-pix_fmt', 'yuv420p', '-metadata', `comment=${++seed} ${process.pid} ${Date.now()}`],
    codec,
    args,
  )
}

/**
 * Writes the programs ffmpeg and ffprobe into this folder. While the returned file exists, a conversion by them takes as
 * long as the playing time of its video.
 */
export function slowTools(tools: string): string {
  const slow = join(tools, 'slow')
  for (const name of ['ffmpeg', 'ffprobe']) {
    const slowly = `[ -e ${slow} ] && case "$*" in *-progress*) exec ${name} -re "$@";; esac`
    const script = `#!/bin/sh\n${slowly}\nexec ${name} "$@"\n`
    writeFileSync(join(tools, name), script, { mode: 0o755 })
  }
  return slow
}

export function bytesOf(file: string): Buffer {
  return readFileSync(file)
}

export function probeMedia(bytes: Buffer): {
  streams: {
    codec_type: string
    codec_name: string
    width?: number
    height?: number
    pix_fmt?: string
    tags?: Record<string, string>
    side_data_list?: unknown[]
  }[]
  format: { duration: string; tags?: Record<string, string> }
} {
  const args = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', '-i', '-']
  return JSON.parse(execFileSync('ffprobe', args, { input: bytes, stdio: 'pipe' }).toString())
}
