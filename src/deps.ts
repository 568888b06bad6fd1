import type { Logger } from 'pino'
import type { Passwords } from './factors/passwords.ts'
import type { Config } from './config.ts'
import type { Ffmpeg } from './conversion/ffmpeg.ts'
import type { Replica } from './db/replica.ts'
import type { ErasureLog } from './erasure/log.ts'
import type { GameLinks } from './games/links.ts'
import type { CoreDeps } from './http/declaration.ts'
import type { Worker } from './jobs/worker.ts'
import type { RunningAttempts } from './limits/attempts.ts'
import type { MailSender } from './mail/sender.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { SemaphorePerOwner } from './semaphore.ts'
import type { SearchLimit } from './search/limit.ts'
import type { Staging } from './storage/staging.ts'
import type { Store } from './storage/store.ts'
import type { MediaFactsReader } from './uploads/facts.ts'
import type { StorageQuota } from './uploads/quota.ts'
import type { ContentViews } from './views/views.ts'
import type { Deliveries } from './webhooks/deliver.ts'

export interface Deps extends CoreDeps {
  replica: Replica | undefined
  config: Config
  log: Logger
  passwords: Passwords
  store: Store
  staging: Staging
  mediaFacts: MediaFactsReader
  quota: StorageQuota
  preparing: SemaphorePerOwner
  searches: SearchLimit
  attempts: RunningAttempts
  views: ContentViews
  /** Undefined when metrics are disabled. */
  metrics: Metrics | undefined
  maintenance: { isHealthy(): boolean }
  deliveries: Deliveries
  mails: MailSender
  worker: Worker
  erasureLog: ErasureLog
  /** Undefined when FFmpeg was not found, or when this process runs no jobs. */
  ffmpeg: Ffmpeg | undefined
  /**
   * True when this process has FFmpeg. If this process runs no jobs, true unless the setting FFMPEG is `off`: other
   * processes then convert video and audio.
   */
  converts: boolean
  games: GameLinks
}
