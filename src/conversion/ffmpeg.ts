import { basename, dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { type ProgramOptions, type ProgramOutcome, runProgram } from '../jobs/program.ts'

export interface Ffmpeg {
  ffmpeg: string
  ffprobe: string
  version: string
  /** True when ffmpeg has the filters that convert HDR and wide-gamut video to BT.709. */
  mapsTones: boolean
  searchPath: string
}

const SECONDS = 20
const ENCODERS = ['libx264', 'aac']
const COLOUR_FILTERS = ['zscale', 'tonemap']

/**
 * Finds ffmpeg, and ffprobe in the same folder, and logs the result. Returns undefined when conversions are switched
 * off, or a program or an encoder is missing.
 */
export async function findFfmpeg(
  command: string | undefined,
  { searchPath, log }: { searchPath: string; log: Logger },
): Promise<Ffmpeg | undefined> {
  const as = 'video and audio are served as uploaded'
  if (command === undefined) {
    log.info(`ffmpeg: switched off, ${as}`)
    return undefined
  }
  const ffprobe = besideOf(command)
  const ask = (program: string, ...args: string[]) =>
    runProgram(program, args, {
      signal: AbortSignal.timeout(SECONDS * 1000),
      limits: { seconds: SECONDS },
      searchPath,
    }).catch((): ProgramOutcome => ({ code: null, stoppedBy: null, out: '', errors: '' }))
  const [encoders, filters, probe] = await Promise.all([
    ask(command, '-encoders'),
    ask(command, '-filters'),
    ask(ffprobe, '-version'),
  ])
  // `ffmpeg -encoders` prints the version on standard error.
  const version = /ffmpeg version (\S+)/.exec(encoders.errors)?.[1]
  const missing = [
    ...(encoders.code === 0 && version ? [] : [command]),
    ...(encoders.code === 0 ? ENCODERS.filter((name) => !hasEncoder(encoders.out, name)) : []),
    ...(probe.code === 0 ? [] : [ffprobe]),
  ]
  if (missing.length > 0 || !version) {
    log.warn({ missing }, `ffmpeg: not usable, ${as}`)
    return undefined
  }
  log.info({ version }, 'ffmpeg: found, video and audio are converted')
  const missingFilters = COLOUR_FILTERS.filter((name) => !hasFilter(filters.out, name))
  if (missingFilters.length > 0) {
    log.warn({ missing: missingFilters }, 'ffmpeg: filters missing, HDR video keeps its colours')
  }
  const mapsTones = missingFilters.length === 0
  return { ffmpeg: command, ffprobe, version, mapsTones, searchPath }
}

function besideOf(command: string): string {
  const name = basename(command).replace('ffmpeg', 'ffprobe')
  return command.includes('/') ? join(dirname(command), name) : name
}

function hasEncoder(list: string, name: string): boolean {
  return new RegExp(`^ [VAS]\\S+ ${name} `, 'm').test(list)
}

function hasFilter(list: string, name: string): boolean {
  return new RegExp(`^ [T.][S.][C.] ${name} `, 'm').test(list)
}

type RunOptions = Omit<ProgramOptions, 'searchPath'>
type Args = readonly (string | readonly string[])[]

export function runFfmpeg(tools: Ffmpeg, args: Args, options: RunOptions) {
  const { ffmpeg, searchPath } = tools
  const fullArgs = ['-nostdin', '-hide_banner', '-y', ...args].flat()
  return runProgram(ffmpeg, fullArgs, { ...options, searchPath })
}

export function runFfprobe(tools: Ffmpeg, args: Args, options: RunOptions) {
  const { ffprobe, searchPath } = tools
  return runProgram(ffprobe, ['-hide_banner', ...args].flat(), { ...options, searchPath })
}
