import type { Row } from '@fastback/core'
import { factorsIn, passkeysIn } from '../endpoints/factors-in.js'
import type { Factors } from '../pages/factor-sections.js'
import type { Provider } from '../provider.js'

/** The factors of a user, as the page shows them; undefined: users have none here. */
export async function listFactors (provider: Provider, user: Row): Promise<Factors['factors'] | undefined> {
  const factors = factorsIn(provider)
  if (factors === undefined) return undefined
  const userId = provider.users.idOf(user)
  const [totp] = await factors.rows.of(userId, ['totp'])
  const shown = ({ id, name, created }: { id: string, name?: string | null | undefined, created: Date }) =>
    ({ id, name: name ?? null, created })
  const passkeys = await passkeysIn(provider)?.of(userId)
  return {
    totp: factors.options.totp === false ? undefined : totp === undefined ? 'off' : totp.confirmed === true ? 'on' : 'started',
    recoveryCodes: await factors.recovery.left(userId),
    passkeys: passkeys?.map(row => ({
      ...shown(row), lastUsed: row.lastUsed ?? null, isSuspect: passkeysIn(provider)?.isSuspect(row) === true
    })),
    devices: (await factors.devices.of(userId)).map(shown)
  }
}
