/** What accounts of one registry share: kept with the registry, so that two applications in a process share nothing. */
import type { MaybePromise, ModelClass, ModelRegistry } from '@fastback/core'
import { eachInSequence } from '@fastback/core/connector'
import { knownUsersIn, measuresOf } from '@fastback/core/remote'
import type { PasswordPolicy } from './passwords/password-policy.js'
import type { SecondFactors } from './factors/second-factors.js'
import { PasswordHasher } from './passwords/hasher.js'
import { userModelsOf } from './user/user-models.js'
import { Credentials } from './user/credentials-changed.js'

/**
 * Something that happened to an account. Emitted by the registry as `audit`, and written to its log. Carries no secret.
 */
export interface AuditEvent {
  readonly event: string
  readonly model?: string | undefined
  readonly userId?: unknown
  readonly [detail: string]: unknown
}

/** A login whose second factor was proven in a step of its own. */
export interface ProvenLogin {
  readonly Model: ModelClass
  readonly userId: unknown
  readonly next: Readonly<Record<string, unknown>>
}

export interface AuthService {
  hasher: PasswordHasher
  /** What new passwords must be; undefined: not empty, at most 72 bytes. */
  passwordPolicy: PasswordPolicy | undefined
  /** Whether a password was made public, where the policy has somebody to ask. */
  isBreached: ((password: string, model: string) => Promise<boolean>) | undefined
  /**
   * Addresses that nobody owns, such as those made up for accounts of third parties: they never get mail. Who makes
   * such addresses adds how they are known.
   */
  readonly unmailable: Set<(address: string) => boolean>
  /** Tells of changed credentials, and is told of them: anyone who keeps rights of users listens. */
  readonly credentials: Credentials
  /** Second factors of a user model; undefined where they are off for it. */
  secondFactors: (Model: ModelClass) => SecondFactors | undefined
  /**
   * Told of a login that ended with its second step, with what the first one left for it (`next` of
   * `SecondFactors.ask`). What one throws is no failure of the login.
   */
  readonly factorProven: Set<(login: ProvenLogin) => Promise<void>>
  /** Of the application's OAuth provider, where it has one with a fixed issuer. */
  issuer: string | undefined
  audit (event: AuditEvent): void
}

const kService = Symbol('fastback.auth')

/**
 * What accounts of a registry share: `hasher`, `credentials`, `audit`. The same object each time.
 *
 * ```js
 * const hash = await authService(app.registry).hasher.hash('secret')
 * authService(app.registry).audit({ event: 'user.locked', model: 'Customer', userId: 7 })
 * ```
 */
export const authService = (registry: ModelRegistry): AuthService =>
  registry.slot(kService, () => {
    const service: AuthService = {
      hasher: new PasswordHasher(),
      passwordPolicy: undefined,
      isBreached: undefined,
      unmailable: new Set<(address: string) => boolean>(),
      credentials: new Credentials(registry),
      secondFactors: () => undefined,
      factorProven: new Set<(login: ProvenLogin) => Promise<void>>(),
      issuer: undefined,
      audit (event) {
        registry.log.info(event, event.event)
        registry.emit('audit', event)
      }
    }
    service.credentials.listen(({ model, userIds, reason }, { transaction }) =>
      eachInSequence([...knownUsersIn(registry).changed], listener =>
        listener({ model, userIds, reason, transaction }) as MaybePromise<void>))
    const measures = measuresOf(registry)
    measures.add('hashesRunning', () => service.hasher.load.running)
    measures.add('hashesWaiting', () => service.hasher.load.waiting)
    return service
  })

/**
 * Whether users of some model have second factors.
 *
 * ```js
 * hasSecondFactors(app.registry) // false without the setting `secondFactors`
 * ```
 */
export const hasSecondFactors = (registry: ModelRegistry): boolean =>
  userModelsOf(registry).attached.some(Model => authService(registry).secondFactors(Model) !== undefined)

/**
 * Whether mail may go to an address: not to one that was made up (LG-81).
 *
 * ```js
 * isMailable(app.registry, 'google.7@loopback.google.com') // false once that login is configured
 * ```
 */
export const isMailable = (registry: ModelRegistry, address: unknown): boolean =>
  typeof address !== 'string' || ![...authService(registry).unmailable].some(matches => matches(address))
