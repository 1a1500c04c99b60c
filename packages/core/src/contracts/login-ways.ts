/**
 * Ways to log in by accounts elsewhere, for those who describe an application or show pages of it. Kept with the
 * registry: who offers them and who shows them need not know each other.
 */
import type { ModelRegistry } from '../registry.js'

export interface LoginWay {
  /** Name of the entry. */
  readonly name: string
  /** What people call it. */
  readonly title: string
  /** Where it begins, from the root of the server. */
  readonly path: string
}

export interface LoginWays {
  /** The user model whose tokens are given. */
  readonly model: string
  /** Where a page exchanges its code for a token, from the root of the server. */
  readonly exchange: string
  readonly providers: readonly LoginWay[]
}

interface Kept {
  /** Asked when somebody wants to know; undefined where nobody offers any. */
  ways: (() => LoginWays | undefined) | undefined
  /** Paths of the server's own pages that a login may go back to. */
  readonly pages: Set<string>
}

const kWays = Symbol('fastback.loginWays')

/**
 * What a registry knows of logins by accounts elsewhere.
 *
 * ```js
 * loginWaysIn(app.registry).pages.add('/explorer/')
 * const ways = loginWaysIn(app.registry).ways?.()
 * ```
 */
export const loginWaysIn = (registry: Pick<ModelRegistry, 'slot'>): Kept =>
  registry.slot<Kept>(kWays, () => ({ ways: undefined, pages: new Set() }))
