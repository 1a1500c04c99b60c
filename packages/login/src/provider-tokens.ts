/**
 * Tokens of providers, for code that calls a provider's API in the name of a user: refreshed when they are used, once
 * for all who ask at the same time, also in other processes.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { ModelInstance } from '@fastback/core'
import { ProviderTokenError } from './errors.js'
import type { Redirecting } from './kinds/kind.js'
import type { Logins } from './logins.js'
import type { ProviderCredentials } from './provider-credentials.js'

type Account = ModelInstance & {
  updateAttributes (data: object): Promise<ModelInstance>
}

/** Milliseconds: a token that ends within them may end on its way. */
const margin = 30_000
/** Milliseconds: longer than a request at a provider takes (LG-79), and whoever died in it blocks nobody for good. */
const longest = 30_000
const pause = 100

export class ProviderTokens {
  readonly #running = new Map<string, Promise<string>>()

  constructor (readonly logins: Logins) {}

  /**
   * The access token of an account: the one that is stored, or a new one by the refresh token.
   * @param row of `UserIdentity` or `UserCredential`
   * @throws ProviderTokenError 409 PROVIDER_TOKEN_UNAVAILABLE: the user has to log in there again
   */
  async of (row: ModelInstance): Promise<string> {
    const key = keyOf(row)
    const running = this.#running.get(key)
    if (running !== undefined) return await running
    const work = this.#of(row, key).finally(() => { this.#running.delete(key) })
    this.#running.set(key, work)
    return await work
  }

  async #of (row: ModelInstance, key: string): Promise<string> {
    const { records } = this.logins.states
    const until = Date.now() + longest
    for (let current = await stored(row); ; current = await stored(row)) {
      const { accessToken, refreshToken } = credentialsOf(current)
      if (accessToken !== undefined && isFresh(current)) return accessToken
      if (refreshToken === undefined) throw new ProviderTokenError('there is no token that lasts, and none to refresh it')
      const expiredAt = new Date(Date.now() + longest)
      if (await records.add(key, { kind: 'refresh', created: new Date(), expiredAt })) {
        try {
          // Another process may have been faster between the look at the row and the lock.
          const last = await stored(row)
          return isFresh(last) ? credentialsOf(last).accessToken as string : await this.#refreshed(last)
        } finally {
          await records.remove(key)
        }
      }
      await records.removeExpired(key)
      if (Date.now() > until) throw new ProviderTokenError('another request refreshes the token and does not end')
      await wait(pause)
    }
  }

  async #refreshed (row: Account): Promise<string> {
    const kind = await this.#kindOf(row)
    const { refreshToken } = credentialsOf(row)
    if (kind?.refresh === undefined || refreshToken === undefined) {
      throw new ProviderTokenError('no entry of its provider can refresh it')
    }
    let credentials: ProviderCredentials
    try {
      credentials = await kind.refresh(refreshToken, String(row.externalId))
    } catch (error) {
      // Of the error its kind alone: messages may hold tokens.
      const { name } = error as { name?: unknown }
      this.logins.registry.log.info({ provider: row.provider, error: name }, 'login: a provider refreshed no token')
      throw new ProviderTokenError('the provider refused to refresh the token')
    }
    await row.updateAttributes({ credentials, modified: new Date() })
    return credentials.accessToken as string
  }

  /** That of the entry that made the row: a refresh token is its client's. */
  async #kindOf (row: ModelInstance): Promise<Redirecting | undefined> {
    const isLink = row.constructor === this.logins.models.Credential
    const entries = [...this.logins.entries.values()].filter(({ provider, kind }) =>
      provider === row.provider && (kind === 'oidc' || kind === 'oauth2'))
    const entry = entries.find(({ link }) => link === isLink) ?? entries[0]
    const installed = entry === undefined ? undefined : await this.logins.installed.get(entry.name)
    return installed?.flow?.kind as Redirecting | undefined
  }
}

const modelOf = (row: ModelInstance) => row.constructor as unknown as {
  readonly modelName: string
  getIdName (): string | undefined
  findById (id: unknown): Promise<Account | null>
}

const idOf = (row: ModelInstance): unknown => row[modelOf(row).getIdName() ?? 'id']
const keyOf = (row: ModelInstance): string => `refresh ${modelOf(row).modelName} ${String(idOf(row))}`

async function stored (row: ModelInstance): Promise<Account> {
  const found = await modelOf(row).findById(idOf(row))
  if (found === null) throw new ProviderTokenError('the account is gone')
  return found
}

const credentialsOf = (row: ModelInstance): ProviderCredentials =>
  (row.credentials ?? {}) as ProviderCredentials

/** A token that does not say when it ends counts until the provider refuses it. */
function isFresh (row: ModelInstance): boolean {
  const { accessToken, expiresAt } = credentialsOf(row)
  return accessToken !== undefined && (expiresAt === undefined || Date.parse(expiresAt) > Date.now() + margin)
}

/** What a new login gave, with the refresh token that a provider gives at the first one alone. */
export function mergedCredentials (before: unknown, given: object): object {
  const { refreshToken } = (before ?? {}) as ProviderCredentials
  return refreshToken === undefined || !('accessToken' in given) ? given : { refreshToken, ...given }
}
