/** What logins need of the application. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import type { Visit } from './visit.js'
import type { OAuthLogin } from './oauth-login.js'

/** What logins need of the application that they are part of. */
export interface LoginHost {
  readonly registry: ModelRegistry
  /** A model; built-in ones are defined when they are asked for. */
  model (name: string): ModelClass | undefined
  attach (Model: ModelClass, dataSource: string): void
  /** Names of the data sources. */
  dataSources (): string[]
  /** Loads a package of the application; undefined where it is not installed. */
  load (name: string): Promise<unknown> | undefined
  route (method: 'get' | 'post', path: string, handle: (visit: Visit) => Promise<void>): void
  /** The OAuth provider of the same application, whose login page knows who logs in here (LG-08). */
  readonly oauth2: OAuthLogin | undefined
  /** Whether entries are of a new application, which has safer defaults. */
  readonly isNew: boolean
}
