/** What the users of a provider prove who they are with, beside passwords. */
import { passkeysOf, type Passkeys, type SecondFactors } from '@fastback/auth/service'
import type { Provider } from '../provider.js'

/** One file of ours, for `script-src 'self'`. */
export const passkeyScriptPath = '/login/passkey.js'

export const factorsIn = ({ service, users }: Provider): SecondFactors | undefined => service.secondFactors(users.Model)
export const passkeysIn = (provider: Provider): Passkeys | undefined => passkeysOf(factorsIn(provider))
