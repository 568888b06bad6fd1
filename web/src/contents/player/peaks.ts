import { useQuery } from '@tanstack/react-query'
import type { Media } from '#sdk'
import { savesData } from '../../device/viewing.ts'

/** Maximum size in bytes of a file whose waveform is drawn. Decoding needs several times as much memory. */
const BYTES_MAX = 10_000_000
const BARS = 120
/**
 * Samples per second of the decoded sound. It is the lowest rate that all browsers support, so that the sound needs
 * little memory.
 */
const SAMPLE_RATE = 8000

/**
 * Returns a CSS mask of bars that show the loudness along a sound. Returns undefined until the file is decoded, for
 * large or undecodable files, and when the browser's data saver is on.
 */
export function useWaveform({ url, size_bytes, mime_type }: Media): string | undefined {
  const { data } = useQuery({
    queryKey: ['waveform', url],
    queryFn: async ({ signal }) => maskOf(await loadPeaks(url ?? '', signal)),
    enabled:
      url !== null && mime_type.startsWith('audio/') && size_bytes <= BYTES_MAX && !savesData(),
    staleTime: Infinity,
  })
  return data
}

async function loadPeaks(url: string, signal: AbortSignal): Promise<number[]> {
  // Waits until the browser is idle. Safari has no idle callbacks, so a timer replaces them there.
  await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve))
  const response = await fetch(url, { signal, priority: 'low' })
  const decoder = new OfflineAudioContext(1, 1, SAMPLE_RATE)
  const sound = await decoder.decodeAudioData(await response.arrayBuffer())
  const samples = sound.getChannelData(0)
  const size = samples.length / BARS
  const levels = Array.from({ length: BARS }, (_, bar) =>
    levelOf(samples.subarray(Math.floor(bar * size), Math.ceil((bar + 1) * size))),
  )
  const loudest = Math.max(...levels)
  return levels.map((level) => (loudest > 0 ? level / loudest : 0))
}

/** Returns the root mean square of the samples. Their peaks would be nearly equal throughout most music. */
function levelOf(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / Math.max(samples.length, 1))
}

function maskOf(peaks: readonly number[]): string {
  const bars = peaks.map((peak, bar) => {
    const height = Math.max(4, Math.round(peak * 100))
    return `M${bar * 5} ${50 - height / 2}h3v${height}h-3z`
  })
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${BARS * 5 - 2} 100" preserveAspectRatio="none"><path d="${bars.join('')}"/></svg>`
  return `url("data:image/svg+xml,${encodeURIComponent(drawing)}") 0 0 / 100% 100%`
}
