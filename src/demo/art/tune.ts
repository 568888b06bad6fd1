/** Generates short music: plucked strings over soft chords, in pentatonic scales. */
import type { Random } from '../random.ts'

const RATE = 22_050
const SECONDS = 8
/** Semitone steps of the scales: major and minor pentatonic, and the Japanese in scale. */
const SCALES = [
  [0, 2, 4, 7, 9],
  [0, 3, 5, 7, 10],
  [0, 1, 5, 7, 8],
]
const ECHO = { seconds: 0.31, strength: 0.38 }

/** Returns eight seconds of music as WAV, 16 bits, one channel. */
export function tune(random: Random): Buffer {
  const samples = new Float32Array(RATE * SECONDS)
  const root = 110 * 2 ** (random.integer(0, 11) / 12)
  const scale = random.pick(SCALES)
  const beat = 0.2 + random.next() * 0.12
  for (const [step, chord] of [0, 3, 2, 0].entries()) {
    const frequency = pitch(root / 2, scale, chord)
    hum(samples, step * 2, frequency)
    hum(samples, step * 2, frequency * 1.5)
  }
  let place = random.integer(3, 8)
  for (let at = 0; at < SECONDS - 1.5; at += beat) {
    if (random.chance(0.22)) continue
    place = Math.min(13, Math.max(0, place + random.integer(-2, 2)))
    pluck(samples, at, pitch(root, scale, place), random)
  }
  echo(samples)
  return toWav(fadeOut(samples))
}

function pitch(root: number, scale: readonly number[], place: number): number {
  const octave = Math.floor(place / scale.length)
  return root * 2 ** (octave + (scale[place % scale.length] as number) / 12)
}

/** Adds a plucked string (Karplus-Strong, 1983): noise that is averaged repeatedly. */
function pluck(samples: Float32Array, seconds: number, frequency: number, random: Random): void {
  const period = Math.round(RATE / frequency)
  const line = Float32Array.from({ length: period }, () => random.next() * 2 - 1)
  const start = Math.floor(seconds * RATE)
  const end = Math.min(samples.length, start + RATE * 2)
  for (let i = start, at = 0; i < end; i++, at = (at + 1) % period) {
    const value = line[at] as number
    line[at] = (value + (line[(at + 1) % period] as number)) * 0.4985
    samples[i] = (samples[i] as number) + value * 0.3
  }
}

/** Adds a tone of 2.4 seconds that swells and fades. */
function hum(samples: Float32Array, seconds: number, frequency: number): void {
  const start = seconds * RATE
  const length = Math.min(RATE * 2.4, samples.length - start)
  for (let i = 0; i < length; i++) {
    const phase = (i / RATE) * frequency * 2 * Math.PI
    const swell = Math.sin((i / length) * Math.PI) ** 2
    const tone = Math.sin(phase) + Math.sin(phase * 2) * 0.3 + Math.sin(phase * 3) * 0.1
    samples[start + i] = (samples[start + i] as number) + tone * swell * 0.09
  }
}

function echo(samples: Float32Array): void {
  const delay = Math.floor(ECHO.seconds * RATE)
  for (let i = delay; i < samples.length; i++) {
    samples[i] = (samples[i] as number) + (samples[i - delay] as number) * ECHO.strength
  }
}

function fadeOut(samples: Float32Array): Float32Array {
  const length = RATE
  return samples.map((value, i) => value * Math.min(1, (samples.length - i) / length))
}

function toWav(samples: Float32Array): Buffer {
  const loudest = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0.001)
  const bytes = Buffer.alloc(44 + samples.length * 2)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(RATE, 24)
  bytes.writeUInt32LE(RATE * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(samples.length * 2, 40)
  for (const [at, value] of samples.entries()) {
    bytes.writeInt16LE(Math.round((value / loudest) * 0.85 * 32_767), 44 + at * 2)
  }
  return bytes
}
