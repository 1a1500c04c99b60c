/** Refusals, with the statuses and codes that clients of LoopBack know. */
import { challengeOf, type Assurance } from '@fastback/auth/service'
import { RequestError, type ModelClass } from '@fastback/core'
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('ACL')

/** An option is not valid; the message names it. */
export const InvalidOptionsError = startup('INVALID_OPTIONS', '@fastback/acl: %s')
/** The rules of a model are not a list, and nothing reads them, although they were written to control access. */
export const UnreadRulesError = startup(
  'UNREAD_RULES',
  'Nobody reads the "acls" of model %s: they are no list of rules, and the model has no "checkAccess" of the application that would decide instead.'
)
/** `includeAccess` and `relatedAccess` contradict each other: one would open what the other closes. */
export const ContradictoryAccessError = startup(
  'CONTRADICTORY_ACCESS',
  '%s has "includeAccess": "%s" and "relatedAccess": "%s". The latter is about include as well: leave "includeAccess" out.'
)
/** A rule is invalid, and definitions are strict. */
export const VoidRuleError = startup('VOID_RULE', '%s Mend the rule: definitions are strict ("modelDefinitions").')
/** A table of `accessSuite` names a caller or a call that there is not. */
export const InvalidSuiteError = startup('INVALID_SUITE', 'accessSuite: %s.')
export const UnknownMethodError = startup('UNKNOWN_METHOD', 'Model "%s" shares no method "%s".%s')

export const authorizationRequired = (): RequestError =>
  new RequestError(401, 'Authorization Required', { code: 'AUTHORIZATION_REQUIRED' })

export const invalidPrincipalType = (type: unknown): RequestError =>
  new RequestError(400, `Invalid principal type: ${String(type)}`, { code: 'INVALID_PRINCIPAL_TYPE' })

/**
 * The caller may, once they have logged in as the rule asks (openid.md, OI-103): the challenge of RFC 9470, for the
 * header `WWW-Authenticate`. Nothing is said of the login that there is.
 */
export class StepUpRequired extends RequestError {
  readonly challenge!: string

  constructor (asked: Assurance) {
    super(401, 'This needs a stronger or a more recent login: log in again, with a second factor or a passkey', {
      code: 'STEP_UP_REQUIRED',
      details: { acrValues: [asked.acr], ...asked.maxAge === undefined ? {} : { maxAge: asked.maxAge } }
    })
    // For the header; the body has the code and the details.
    Object.defineProperty(this, 'challenge', {
      value: `Bearer error="insufficient_user_authentication", error_description="${this.message}", ${challengeOf(asked)}`,
      enumerable: false
    })
  }
}

/**
 * The refusal of a request. Callers without a token get 401, whatever the setting; others what `aclErrorStatus` of the
 * model says, else of the application, else 401. Those who may once they have logged in better are told so.
 */
export function refusal (
  Model: ModelClass, hasToken: boolean, id: unknown, stepUp?: Assurance | undefined
): RequestError {
  if (hasToken && stepUp !== undefined) return new StepUpRequired(stepUp)
  switch (hasToken ? Number(Model.settings.aclErrorStatus ?? Model.registry.settings.aclErrorStatus ?? 401) : 401) {
    case 403:
      return new RequestError(403, 'Access Denied', { code: 'ACCESS_DENIED' })
    case 404:
      return new RequestError(404, `could not find ${Model.modelName} with id ${String(id)}`, {
        code: 'MODEL_NOT_FOUND'
      })
    default:
      return authorizationRequired()
  }
}
