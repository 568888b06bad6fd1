import type { Tx } from '../db/handle.ts'
import { insertRow } from '../db/rows.ts'
import type { Tables } from '../db/tables.ts'

type PlayRow = Tables['plays']

export async function insertPlay(tx: Tx, play: PlayRow): Promise<void> {
  await insertRow(tx, 'plays', play)
}
