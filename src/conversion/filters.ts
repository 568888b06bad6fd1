import type { Ffmpeg } from './ffmpeg.ts'
import type { Step } from './ladder.ts'
import type { VideoFacts } from './probe.ts'

const FRAME_RATE_MAX = 60
const DEINTERLACE_MIN = 3
/**
 * Luminance of SDR white in HDR video, in cd/m2 (ITU-R BT.2408). For HLG, `zscale` also uses this value as
 * the nominal peak.
 */
const WHITE = 203
/** Luminance in cd/m2 that tone mapping expects of the brightest highlights. */
const PEAK = 1000
/**
 * Share of the white level up to which the Mobius curve preserves colours. Above it, the curve compresses
 * highlights.
 */
const LINEAR_SHARE = 0.8
/** Width in pixels from which untagged video counts as BT.709, as in common players. */
const HD_WIDTH = 1280
/** Height in lines above which untagged video counts as BT.709. */
const SD_LINES = 576

const HDR = new Set(['smpte2084', 'arib-std-b67'])
const WIDE_PRIMARIES = new Set(['bt2020', 'smpte431', 'smpte432'])
/** Names of colour matrices in the `scale` filter, by their names in ffprobe. */
const MATRICES: Record<string, string> = {
  bt709: 'bt709',
  fcc: 'fcc',
  bt470bg: 'bt470',
  smpte170m: 'smpte170m',
  smpte240m: 'smpte240m',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
}
const TO_BT709 = 'p=bt709:t=bt709:m=bt709:r=tv'
const BT709_TAGS = 'range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709'

/**
 * Returns an ffmpeg filter graph with the outputs `[v0]`, `[v1]` and so on, one per step, largest first. The outputs
 * are 8-bit, deinterlaced BT.709. Without ffmpeg's colour filters, HDR and wide-gamut video keeps its colours and
 * tags.
 */
export function pictureGraph(
  video: VideoFacts,
  steps: readonly Step[],
  { mapsTones }: Pick<Ffmpeg, 'mapsTones'>,
): string {
  const isWide = HDR.has(video.transfer) || WIDE_PRIMARIES.has(video.primaries)
  const whole = [
    ...frameFilters(video),
    ...(isWide && mapsTones ? colourFilters(video, steps[0] as Step) : []),
  ]
  const outputs = steps.map((_, index) => `[s${index}]`).join('')
  const scale =
    isWide && !mapsTones
      ? { colours: 'out_range=tv', tags: [] }
      : {
          colours: `in_color_matrix=${isWide ? 'bt709' : matrixOf(video)}:out_color_matrix=bt709:out_range=tv`,
          tags: [`setparams=${BT709_TAGS}`],
        }
  return [
    `[0:${video.index}]${[...whole, `split=${steps.length}`].join(',')}${outputs}`,
    ...steps.map(({ width, height }, index) => {
      const filters = [
        `scale=${width}:${height}:${scale.colours}`,
        'setsar=1',
        'format=yuv420p',
        ...scale.tags,
      ]
      return `[s${index}]${filters.join(',')}[v${index}]`
    }),
  ].join(';')
}

function frameFilters({ width, height, frameRate }: VideoFacts): string[] {
  return [
    // Deinterlaces only frames that are flagged as interlaced.
    ...(Math.min(width, height) < DEINTERLACE_MIN
      ? []
      : ['bwdif=mode=send_frame:deint=interlaced']),
    ...(frameRate > FRAME_RATE_MAX + 1 ? [`fps=${FRAME_RATE_MAX}`] : []),
  ]
}

/**
 * Returns the filters that convert colours to BT.709. They first scale the video to the largest step, because fewer
 * pixels take less time to convert.
 */
function colourFilters(video: VideoFacts, { width, height }: Step): string[] {
  const primaries = WIDE_PRIMARIES.has(video.primaries) ? video.primaries : 'bt2020'
  const isHdr = HDR.has(video.transfer)
  // SDR transfer functions differ little, so all SDR video is treated as BT.709.
  const transfer = isHdr ? video.transfer : 'bt709'
  return [
    `scale=${width}:${height}:in_color_matrix=${matrixOf(video)}:out_color_matrix=bt2020:out_range=tv`,
    'format=yuv420p10le',
    `setparams=range=tv:color_primaries=${primaries}:color_trc=${transfer}:colorspace=bt2020nc`,
    ...(isHdr
      ? [
          `zscale=t=linear:npl=${WHITE}`,
          'format=gbrpf32le',
          'zscale=p=bt709',
          `tonemap=mobius:param=${LINEAR_SHARE}:peak=${PEAK / WHITE}`,
          `zscale=${TO_BT709}`,
        ]
      : [`zscale=${TO_BT709}`]),
    'format=yuv420p',
  ]
}

/**
 * Returns a video's colour matrix by its name in the `scale` filter. Derives a missing tag from the transfer
 * function, the primaries or the size.
 */
function matrixOf({ matrix, primaries, transfer, width, height }: VideoFacts): string {
  const known = MATRICES[matrix]
  if (known) return known
  if (HDR.has(transfer) || primaries === 'bt2020') return 'bt2020'
  return width >= HD_WIDTH || height > SD_LINES ? 'bt709' : 'smpte170m'
}
