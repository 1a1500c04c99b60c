/** `accessAssurance` of rules and methods: how the caller must have logged in (openid.md, OI-103; RFC 9470). */
import { levels, type Assurance, type Level } from '@fastback/auth/service'
import type { ModelClass, SharedMethod } from '@fastback/core'
import { nearest, rulesOf } from '@fastback/core/remote'
import { VoidRuleError } from '../errors.js'

/** `mfa` is another word for the second level. */
const names: Readonly<Record<string, Level>> = { ...Object.fromEntries(levels.map(level => [level, level])), mfa: '2fa' }

/**
 * What is written as `accessAssurance`; a sentence without its subject where that cannot be meant.
 *
 * ```js
 * readAssurance('mfa') // { assurance: { acr: '2fa', maxAge: undefined } }
 * readAssurance({ maxAge: 300 }) // { assurance: { acr: '1fa', maxAge: 300 } }
 * readAssurance('mfq') // { fault: '"accessAssurance": "mfq" is no level. Did you mean "mfa"?' }
 * ```
 */
export function readAssurance (written: unknown): { readonly assurance?: Assurance, readonly fault?: string } {
  if (written === undefined || written === null) return {}
  const { acr = '1fa', maxAge, ...others } = typeof written === 'object' && !Array.isArray(written)
    ? written as Readonly<Record<string, unknown>>
    : { acr: written }
  const fault = (says: string): { fault: string } => ({ fault: `"accessAssurance": ${says}` })
  const [odd] = Object.keys(others)
  if (odd !== undefined) return fault(`"${odd}" is not known.${nearest(odd, ['acr', 'maxAge'])}`)
  const level = typeof acr === 'string' && Object.hasOwn(names, acr) ? names[acr] : undefined
  if (level === undefined) {
    return fault(`${JSON.stringify(acr)} is no level.${typeof acr === 'string' ? nearest(acr, Object.keys(names)) : ''}`)
  }
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && (maxAge as number) > 0)) {
    return fault('"maxAge" is a whole number of seconds.')
  }
  return { assurance: { acr: level, maxAge: maxAge as number | undefined } }
}

/**
 * What a method's own definition asks of the logins of its callers.
 * @throws FBK_ACL_VOID_RULE for what nobody can read: a method that was to be closed is not opened by a slip
 */
export function assuranceOf ({ options, modelName, fullName }: SharedMethod): Assurance | undefined {
  const { assurance, fault } = readAssurance(options.accessAssurance)
  if (fault !== undefined) throw new VoidRuleError(`The method "${modelName}.${fullName}": ${fault}`)
  return assurance
}

/**
 * Whether a rule of a model asks for more than a login: such rules count at routes of relations and for include as
 * well, or they would be a way around them (security.md, S-122).
 *
 * ```js
 * asksAssurance(registry.getModel('Payment')) // true
 * ```
 */
export const asksAssurance = (Model: ModelClass): boolean =>
  rulesOf(Model).some(({ accessAssurance }) => accessAssurance !== undefined && accessAssurance !== null)
