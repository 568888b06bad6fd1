import { BLOAT, PEAK, type TableModel } from './model.ts'

export interface Estimate {
  rows: number
  bytes: number
  writesPerSecond: number
  peakWritesPerSecond: number
}

export function estimate({ rows, bytes, writes }: TableModel, members: number): Estimate {
  const writesPerSecond = (writes * members) / 86_400
  return {
    rows: rows * members,
    bytes: rows * members * bytes * BLOAT,
    writesPerSecond,
    peakWritesPerSecond: writesPerSecond * PEAK,
  }
}
