import type { Logger } from 'pino'
import { resolveResets } from './auth/resolve-reset.ts'
import { Passwords } from './factors/passwords.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { publishStranded } from './contents/conversion.ts'
import { publishDue } from './contents/schedule.ts'
import { findFfmpeg } from './conversion/ffmpeg.ts'
import { applyErasures } from './erasure/apply.ts'
import { startDueDeletions } from './erasure/deletions.ts'
import { ErasureLog, erasureLogIn, readErasureLog } from './erasure/log.ts'
import { resumeErasures } from './erasure/rules.ts'
import { type Db, DatabaseUnreachable, describeUnavailable } from './db/handle.ts'
import { openDatabase, openReplica } from './db/open.ts'
import { bringUpToDate, untilDatabaseIsUp } from './db/ready.ts'
import type { Deps } from './deps.ts'
import { removeEndedExports, removeLostExports } from './exports/rules.ts'
import { warnOfMissingFiles } from './files/sample.ts'
import { Sweep } from './files/sweep.ts'
import { GameLinks } from './games/links.ts'
import type { Viewer } from './http/auth.ts'
import { Load } from './http/server/load.ts'
import { fingerprintKeyOf, runOnce } from './idempotency/rules.ts'
import { fillSearchIndex } from './indexing/fill.ts'
import { handOver } from './jobs/hand-over.ts'
import { JobLimits } from './jobs/limits.ts'
import { Worker } from './jobs/worker.ts'
import { LastUsed } from './keys/last-used.ts'
import { findKeyHolder } from './keys/rules.ts'
import { RunningAttempts } from './limits/attempts.ts'
import { spendQuota } from './limits/quota.ts'
import { MailSender } from './mail/sender.ts'
import { Maintenance } from './maintenance.ts'
import { measuredDb, measuredStore } from './metrics/measured.ts'
import type { Metrics } from './metrics/metrics.ts'
import { RETENTION } from './retention.ts'
import { SearchLimit } from './search/limit.ts'
import { SemaphorePerOwner } from './semaphore.ts'
import { LastSeen } from './sessions/last-seen.ts'
import { findViewer } from './sessions/rules.ts'
import { openStore } from './storage/open.ts'
import type { Store } from './storage/store.ts'
import { StorageWatch } from './storage/watch.ts'
import { queueMissingSizes } from './thumbnails/sizes.ts'
import { MediaFactsReader } from './uploads/facts.ts'
import { measureFiles } from './uploads/measure.ts'
import { StorageQuota } from './uploads/quota.ts'
import { ContentViews } from './views/views.ts'
import { Deliveries } from './webhooks/deliver.ts'
import { repairFutureTimestamps } from './webhooks/future-timestamps.ts'

/** Milliseconds between searches for drafts to publish. */
const PUBLISH_EVERY_MS = 1000

export interface Opened {
  deps: Deps
  /** Closes the database and the store. The worker, the deliveries and all requests must have ended. */
  close(): Promise<void>
}

/** Returns the metrics, or undefined when they are disabled. Imports their code only when they are enabled. */
async function openMetrics(
  { metricsPort }: Config,
  db: Db,
  now: () => number,
): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined
  const { Metrics } = await import('./metrics/metrics.ts')
  const metrics = new Metrics(db)
  metrics.watchQueues(db, now)
  return metrics
}

async function openData(config: Config, log: Logger, now: () => number) {
  const { store, staging } = await openStore(config)
  const db = openDatabase(config, (isReachable, reason) => {
    if (isReachable) log.info('database: reachable again')
    else log.warn(`database: unreachable: ${describeUnavailable(reason)}`)
  })
  const metrics = await openMetrics(config, db, now)
  const data = {
    db: metrics ? measuredDb(db, metrics) : db,
    store: metrics ? measuredStore(store, metrics) : store,
    staging,
    metrics,
  }
  const close = async () => {
    staging.close()
    await Promise.all([db.close(), store.close()])
  }
  try {
    await untilDatabaseIsUp(data.db, log)
    await bringUpToDate(data.db, log, now)
    return { data, close }
  } catch (error) {
    await close()
    throw error
  }
}

// Each task is a named function, because the log identifies a failing task by its function name.
function listMaintenanceTasks(
  sweep: Sweep,
  store: Store,
  {
    config,
    erasureLog,
    runsBackground,
    converts,
    limits,
  }: {
    config: Config
    erasureLog: ErasureLog
    runsBackground: boolean
    converts: boolean
    limits: JobLimits
  },
) {
  function sweepFiles(db: Db, now: number) {
    return sweep.run(db, now)
  }
  function publishContents(db: Db, now: number) {
    return publishStranded(db, now, converts)
  }
  function handOverJobs(db: Db, now: number) {
    return handOver(db, limits.dayMs, now)
  }
  function startDeletions(db: Db, now: number) {
    return startDueDeletions(db, config, now)
  }
  function removeExports(db: Db, now: number) {
    return removeEndedExports(db, store, now)
  }
  function logErasures(db: Db) {
    return erasureLog.sync(db)
  }
  function fillIndex(db: Db) {
    return fillSearchIndex(db)
  }
  function measureStored(db: Db) {
    return measureFiles(db, store)
  }
  return runsBackground
    ? [
        ...RETENTION,
        publishContents,
        handOverJobs,
        repairFutureTimestamps,
        startDeletions,
        removeExports,
        resumeErasures,
        measureStored,
        queueMissingSizes,
        fillIndex,
        sweepFiles,
        logErasures,
      ]
    : [sweepFiles, logErasures]
}

function isVerified({ isVerified: isProven, role }: Viewer): boolean {
  return isProven || role === 'admin'
}

/**
 * Opens the database, the storage and everything else that a server needs. With `runsBackground`, the caller
 * must start the background work. Errors: those of `openStore` and `bringUpToDate`.
 */
export async function openDeps(
  config: Config,
  {
    log,
    clock,
    runsBackground,
    load = new Load(),
  }: { log: Logger; clock: Clock; runsBackground: boolean; load?: Load },
): Promise<Opened> {
  const now = () => clock.now()
  const warn = (error: unknown) => {
    if (!(error instanceof DatabaseUnreachable)) log.warn({ err: error })
  }
  const { searchPath, corsOrigins } = config
  const [{ data, close: closeData }, ffmpeg] = await Promise.all([
    openData(config, log, now),
    runsBackground ? findFfmpeg(config.ffmpeg, { searchPath, log }) : undefined,
  ])
  const { db, store, staging, metrics } = data
  // A process without background work cannot detect FFmpeg in the workers, so it relies on the setting.
  const converts = runsBackground ? ffmpeg !== undefined : config.ffmpeg !== undefined
  metrics?.watchLoad(load)
  const lastSeen = new LastSeen(db, warn)
  const lastUsed = new LastUsed(db, now, warn)
  const views = new ContentViews(db, config, now, warn)
  const mediaFacts = new MediaFactsReader()
  const keyed = { running: new Set<string>(), fingerprintKey: fingerprintKeyOf(config) }
  const limits = new JobLimits(config.conversionLimit)
  const sweep = new Sweep({ store, staging, log, leavesStore: !runsBackground })
  const erasureLog = new ErasureLog(config.dataDir)
  const maintenance = new Maintenance(
    db,
    now,
    log,
    listMaintenanceTasks(sweep, store, { config, erasureLog, runsBackground, converts, limits }),
  )
  function publishScheduled(tasksDb: Db, time: number) {
    return publishDue(tasksDb, time, converts)
  }
  const frequent = { everyMs: PUBLISH_EVERY_MS, trustsClock: true }
  const publication = new Maintenance(
    db,
    now,
    log,
    runsBackground ? [publishScheduled] : [],
    frequent,
  )
  const replica = openReplica(db, config, log)
  const storageHost = config.storageUrl && new URL(config.storageUrl).host
  const storageWatch = new StorageWatch(store, storageHost ?? config.dataDir, log)
  const limit = <V extends Viewer>(viewer: V | undefined): V | undefined =>
    viewer &&
    Object.assign(viewer, {
      isRateLimited: config.rateLimits !== 'off',
      mustVerify: config.emailVerification === 'required' && !isVerified(viewer),
    })
  const deps: Deps = {
    ...data,
    replica,
    clock,
    config,
    log,
    corsOrigins,
    passwords: new Passwords(),
    mediaFacts,
    quota: new StorageQuota(config),
    preparing: new SemaphorePerOwner(2),
    searches: new SearchLimit(),
    attempts: new RunningAttempts(),
    views,
    load,
    erasureLog,
    maintenance: { isHealthy: () => maintenance.isHealthy() && publication.isHealthy() },
    worker: new Worker(db, now, log, limits),
    ffmpeg,
    converts,
    deliveries: new Deliveries(db, clock, config, log),
    mails: new MailSender(db, clock, config, log, resolveResets(config)),
    games: new GameLinks(config),
    findViewer: async (token) => limit(await findViewer(db, token, now(), lastSeen)),
    findKeyHolder: async (rawKey) => limit(await findKeyHolder(db, rawKey, now(), lastUsed)),
    runOnce: (request, run) => runOnce(db, keyed, request, now(), run),
    checkQuota:
      config.rateLimits === 'enforce' ? (caller) => spendQuota(db, caller, now()) : undefined,
  }
  sweep.run(db, now()).catch(warn)
  // Repeats erasures at each start, in case a restore died before it repeated them.
  await applyErasures(db, config, readErasureLog(erasureLogIn(config.dataDir)))
  erasureLog.sync(db).catch(warn)
  if (runsBackground) removeLostExports(db, store).catch(warn)
  const sampling = warnOfMissingFiles(db, store, log).catch(warn)
  const close = async () => {
    maintenance.close()
    publication.close()
    storageWatch.close()
    await Promise.all([sweep.close(), sampling])
    await Promise.all([lastSeen.close(), lastUsed.close(), views.close(), mediaFacts.close()])
    await replica?.close()
    await closeData()
  }
  return { deps, close }
}
