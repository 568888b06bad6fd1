import { badFile } from './bad-file.ts'
import { clockJump } from './clock-jump.ts'
import { connectionCuts } from './connection-cuts.ts'
import { databaseRestart, databaseStopped } from './database-away.ts'
import { diskFull } from './disk-full.ts'
import type { Fault } from './fault.ts'
import { gracefulStop } from './graceful-stop.ts'
import { interruptedMigration } from './interrupted-migration.ts'
import { interruptedRestore } from './interrupted-restore.ts'
import { ioErrors } from './io-errors.ts'
import { killJobs } from './kill-jobs.ts'
import { killMedia } from './kill-media.ts'
import { killUnderLoad } from './kill-under-load.ts'
import { logClosed } from './log-closed.ts'
import { noDescriptors } from './no-descriptors.ts'
import { restartStorm, twoProcesses } from './restarts.ts'
import { syncs } from './syncs.ts'
import { tornLog } from './torn-log.ts'

export const FAULTS: readonly Fault[] = [
  killUnderLoad,
  killMedia,
  killJobs,
  gracefulStop,
  restartStorm,
  twoProcesses,
  syncs,
  tornLog,
  ioErrors,
  diskFull,
  databaseRestart,
  databaseStopped,
  connectionCuts,
  clockJump,
  interruptedMigration,
  interruptedRestore,
  badFile,
  logClosed,
  noDescriptors,
]
