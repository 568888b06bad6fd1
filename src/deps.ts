import type { Logger } from 'pino'
import type { Chores } from './chores.ts'
import type { Config } from './config.ts'
import type { ContentViews } from './contents/views.ts'
import type { Passwords } from './auth/passwords.ts'
import type { CoreDeps } from './http/declaration.ts'
import type { Api } from './http/route.ts'

/** What handlers may use. */
export interface Deps extends CoreDeps {
  config: Config
  log: Logger
  passwords: Passwords
  views: ContentViews
  chores: Chores
}

export type PlazaApi = Api<Deps>
