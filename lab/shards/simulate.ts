import { BLOAT, PEAK, type TableModel, TABLES } from './model.ts'
import { SPREADS, type Spread } from './spreads.ts'

export interface Community {
  members: number
  shards: number
  /** Number of hash buckets. Each shard has a range of buckets, and rebalancing moves whole buckets. */
  buckets: number
  seed: number
}

export interface Balance {
  table: string
  column: string
  isTaken: boolean
  rows: number
  bytes: number
  rowSkew: number
  writeSkew: number
  hottestRows: number
  hottestWrites: number
}

export function estimate({ rows, bytes, writes }: TableModel, members: number) {
  return {
    rows: rows * members,
    bytes: rows * members * bytes * BLOAT,
    peakWritesPerSecond: ((writes * members) / 86_400) * PEAK,
  }
}

export function simulate(community: Community): Balance[] {
  return SPREADS.map((spread) => balance(spread, community))
}

function balance(spread: Spread, { members, shards, buckets, seed }: Community): Balance {
  const { table, column, exponent, writeExponent, most } = spread
  const values = Math.max(1, Math.round(spread.values * members))
  const { rows, bytes } = estimate(TABLES[table], members)
  const stored = new Float64Array(shards)
  const written = new Float64Array(shards)
  const rowsOf = sharesOf(values, exponent, (most * members) / rows)
  const writesOf = writeExponent === null ? rowsOf : sharesOf(values, writeExponent, 1)
  let hash = salt(`${table} ${column}`, seed)
  for (let rank = 0; rank < values; rank++) {
    hash = (hash + 0x9e3779b9) | 0
    const shard = Math.floor(((mix(hash) % buckets) * shards) / buckets)
    stored[shard] = (stored[shard] as number) + rowsOf(rank)
    written[shard] = (written[shard] as number) + writesOf(rank)
  }
  return {
    table,
    column,
    isTaken: SPREADS.find((candidate) => candidate.table === table) === spread,
    rows: rows / shards,
    bytes: bytes / shards,
    rowSkew: skew(stored),
    writeSkew: skew(written),
    hottestRows: rowsOf(0),
    hottestWrites: writesOf(0),
  }
}

/**
 * Returns a function that maps the rank of a value to the share of rows with this value, at most `most`. Rank 0 is the
 * most frequent value.
 */
function sharesOf(values: number, exponent: number, most: number): (rank: number) => number {
  const weights = new Float64Array(values)
  let sum = 0
  for (let rank = 0; rank < values; rank++) sum += weights[rank] = (rank + 1) ** -exponent
  return (rank) => Math.min(most, (weights[rank] as number) / sum)
}

function skew(loads: Float64Array): number {
  let sum = 0
  let greatest = 0
  for (const load of loads) {
    sum += load
    greatest = Math.max(greatest, load)
  }
  return (greatest * loads.length) / sum
}

/** Hashes a number with the finalizer of MurmurHash3, whose results are evenly distributed. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function salt(text: string, seed: number): number {
  let hash = mix(seed)
  for (let i = 0; i < text.length; i++) hash = mix(hash ^ text.charCodeAt(i))
  return hash
}
