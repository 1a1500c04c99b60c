/** Switches passkeys on for a user model whose second factors have `webauthn`. */
import type { SecondFactors } from '../factors/second-factors.js'
import { authService } from '../service.js'
import type { UserModel } from '../user/user-model.js'
import { declarePasskeyMethods } from './methods.js'
import { Passkeys } from './passkeys.js'
import { relyingParty } from './settings.js'

/** Nothing happens without the setting. */
export function addPasskeys (Model: UserModel, factors: SecondFactors): void {
  const { webauthn } = factors.options
  if (webauthn === undefined) return
  const passkeys = new Passkeys(factors, () =>
    relyingParty(webauthn, Model.modelName, authService(Model.registry).issuer))
  factors.ways.set('response', passkeys)
  declarePasskeyMethods(Model, passkeys)
}

/**
 * The passkeys of a user model; undefined where they are off.
 *
 * ```js
 * passkeysOf(authService(registry).secondFactors(Customer))?.party.id // 'shop.example'
 * ```
 */
export function passkeysOf (factors: SecondFactors | undefined): Passkeys | undefined {
  const way = factors?.ways.get('response')
  return way instanceof Passkeys ? way : undefined
}
