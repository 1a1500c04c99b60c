/** The version of the rows that a client was made for (SYD-26). */
import type { ModelClass } from '@fastback/core'
import { clientOutdated, malformed } from './errors.js'
import { syncSettings } from './sync-settings.js'

/** @throws RequestError 409 CLIENT_OUTDATED for another one than the model's; a client that names none is not asked */
export function checkVersion (Model: ModelClass, given: unknown): void {
  if (given === undefined || given === null) return
  if (typeof given !== 'number') throw malformed('"version" is no number.')
  const { version } = syncSettings(Model)
  if (version !== undefined && Math.trunc(version) !== Math.trunc(given)) throw clientOutdated(version)
}
