import type { Logger } from 'pino'
import type { Chores } from './chores.ts'
import type { Config } from './config.ts'
import type { ContentViews } from './contents/views.ts'
import type { Passwords } from './auth/passwords.ts'
import type { Ffmpeg } from './conversion/ffmpeg.ts'
import type { GameLinks } from './games/links.ts'
import type { CoreDeps } from './http/declaration.ts'
import type { Api } from './http/route.ts'
import type { Worker } from './jobs/worker.ts'
import type { Staging } from './storage/staging.ts'
import type { Store } from './storage/store.ts'
import type { MediaFactsReader } from './uploads/facts.ts'
import type { Deliveries } from './webhooks/deliver.ts'

/** What handlers may use. */
export interface Deps extends CoreDeps {
  config: Config
  log: Logger
  passwords: Passwords
  store: Store
  staging: Staging
  mediaFacts: MediaFactsReader
  views: ContentViews
  chores: Chores
  deliveries: Deliveries
  worker: Worker
  /** Undefined where the machine has none: then nothing is converted. */
  ffmpeg: Ffmpeg | undefined
  games: GameLinks
}

export type PlazaApi = Api<Deps>
