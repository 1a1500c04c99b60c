/** What accounts of one registry share: kept with the registry, so that two applications in a process share nothing. */
import type { ModelRegistry } from '@fastback/core'
import type { PasswordPolicy } from './passwords/check-password.js'
import { PasswordHasher } from './passwords/hasher.js'
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

export interface AuthService {
  hasher: PasswordHasher
  /** What new passwords must be; undefined: not empty, at most 72 bytes. */
  passwordPolicy: PasswordPolicy | undefined
  /** Tells of changed credentials, and is told of them: whoever keeps rights of users listens. */
  readonly credentials: Credentials
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
  registry.slot(kService, () => ({
    hasher: new PasswordHasher(),
    passwordPolicy: undefined,
    credentials: new Credentials(registry),
    audit: (event: AuditEvent) => {
      registry.log.info(event, event.event)
      registry.emit('audit', event)
    }
  }))
