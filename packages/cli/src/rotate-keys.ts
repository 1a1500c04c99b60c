/** `fastback oauth2 rotate-keys`: new keys for the tokens that an authorization server signs. */
import type { ApplicationSource, LoadOptions } from './application.js'
import { NoSigningKeysError } from './errors.js'
import { withApplication } from './load-application.js'

export interface RotateKeysOptions extends LoadOptions {
  /** Id of a key that is taken out of the published set: it was stolen. */
  readonly revoke?: string | undefined
}

export interface RotatedKeys {
  /** Ids of the keys that sign from now on. */
  readonly current: readonly string[]
  readonly revoked?: string | undefined
}

/** What is used of the provider of `@fastback/oauth2`. */
interface KeysOwner {
  readonly openId?: object
  readonly keys: { rotate (options: { revoke?: string | undefined }): Promise<RotatedKeys> }
}

/**
 * Rotates the keys at once, beside running servers: these sign with the new ones a second later.
 *
 * ```js
 * const { current } = await rotateKeys('my-app', { revoke: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs' })
 * ```
 * @throws FBK_CLI_NO_SIGNING_KEYS, FBK_OAUTH2_UNKNOWN_KEY
 */
export async function rotateKeys (
  source: ApplicationSource, { env, revoke }: RotateKeysOptions = {}
): Promise<RotatedKeys> {
  return await withApplication(source, { env, stores: 'all' }, async application => {
    application.useStores()
    const { oauth2 } = application.fastify as { oauth2?: KeysOwner }
    if (oauth2?.openId === undefined) throw new NoSigningKeysError()
    return await oauth2.keys.rotate({ revoke })
  })
}
