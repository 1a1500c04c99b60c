/**
 * What may be needed of the user before a code is issued, as a list of named checks: the first that finds something
 * decides which page is shown, or what a client that wants no page reads (OI-91 to OI-100).
 */
import type { MaybePromise, Row } from '@fastback/core'
import type { OAuthError } from '../../errors.js'
import type { Session } from '../../session/sessions.js'
import type { InteractionRequest } from './interaction-request.js'
import { levelOf, wantedLevel, type FactorKind } from './levels.js'
import {
  AccountSelectionRequired, ConsentRequired, InteractionRequired, LoginRequired, UnmetAuthenticationRequirements
} from './refusals.js'
import type { Waiting } from './waiting.js'

/** One request of one user, as the checks see it. */
export interface Situation {
  readonly wish: InteractionRequest
  readonly session: Session
  /** Undefined: nobody is logged in. */
  readonly user: Readonly<Row> | undefined
  readonly waiting: Pick<Waiting, 'loginFor' | 'choiceFor'>
  readonly acrValues: readonly string[]
  /** The `sub` of the user for this client. */
  readonly subject: () => MaybePromise<string | undefined>
  /** Factors that the user has confirmed. */
  readonly factors: () => MaybePromise<readonly FactorKind[]>
  readonly isPermitted: () => MaybePromise<boolean>
}

/** Where the user goes. */
export type Step = 'registration' | 'login' | 'second factor' | 'decision'

/** What a check has found: a page, or by `marks` the logins and choices that made one unnecessary. */
export interface Finding {
  readonly step?: Step
  /** What is sent to the client in place of the page, with `prompt=none`. */
  readonly refusal?: OAuthError
  /** Marks that the request stands on: they are used up when it gets its response. */
  readonly marks?: readonly string[]
}

export type Check = (situation: Situation) => MaybePromise<Finding>

const nothing: Finding = {}
const needs = (step: Step, refusal: OAuthError): Finding => ({ step, refusal })
const login = (message: string): Finding => needs('login', new LoginRequired(message))

/** Seconds after which a step-up asks for the first factor as well (OI-100). */
const longestStepUp = 43_200

export const checks: Readonly<Record<string, Check>> = {
  /** Prompt Create 1.0 (OI-96): who has registered logs in after that. */
  async create ({ wish, session, waiting }) {
    if (!wish.prompts.includes('create')) return nothing
    const mark = await waiting.loginFor(session, wish.key)
    if (mark !== undefined) return { marks: [mark] }
    return needs('registration', new InteractionRequired('An account has to be made.'))
  },

  loggedIn: ({ user }) => user === undefined ? login('Nobody is logged in.') : nothing,

  /** `prompt=login`, and `max_age`: a login of before the request counts for the latter, while it is young enough. */
  async newLogin ({ wish: { prompts, maxAge, key }, session, waiting }) {
    const age = Date.now() / 1000 - (session.data.authTime ?? 0)
    const isAlways = prompts.includes('login') || maxAge === 0
    if (!isAlways && (maxAge === undefined || age <= maxAge)) return nothing
    const mark = await waiting.loginFor(session, key)
    return mark === undefined ? login('The user has to log in again.') : { marks: [mark] }
  },

  /** `id_token_hint` and the claim `sub` (OI-82, OI-99): a login of somebody else does not help. */
  async rightUser ({ wish: { subjects, key }, session, waiting, subject }) {
    if (subjects === undefined) return nothing
    const sub = await subject()
    if (sub !== undefined && subjects.includes(sub)) return nothing
    if (await waiting.loginFor(session, key) !== undefined) throw new LoginRequired('Another user has logged in.')
    return login('Another user is logged in.')
  },

  async account ({ wish: { prompts, key }, session, waiting }) {
    if (!prompts.includes('select_account')) return nothing
    const mark = await waiting.loginFor(session, key) ?? await waiting.choiceFor(session, key)
    if (mark !== undefined) return { marks: [mark] }
    return needs('login', new AccountSelectionRequired('The user has to say which account is meant.'))
  },

  /** `acr_values`, and the claim `acr` (OI-83, OI-100): only the factor that is missing is asked for. */
  async level ({ wish: { acr }, session, acrValues, factors }) {
    if (acr === undefined) return nothing
    const reached = levelOf(session.data.amr)
    const wanted = wantedLevel(acrValues, acr, reached, reached === 2 ? [] : await factors())
    if (wanted === undefined && acr.essential) {
      throw new UnmetAuthenticationRequirements('The authentication that the client insists on cannot be reached.')
    }
    if (wanted === undefined || wanted <= reached) return nothing
    const isOld = (session.data.authTime ?? 0) + longestStepUp < Date.now() / 1000
    return needs(isOld ? 'login' : 'second factor', new InteractionRequired('A second factor is needed.'))
  },

  async consent ({ wish: { prompts }, isPermitted }) {
    if (!prompts.includes('consent') && await isPermitted()) return nothing
    return needs('decision', new ConsentRequired('The user has not consented.'))
  }
}

/** The result of all checks. */
export interface Interaction {
  /** Undefined: the response can be made. */
  readonly step: Step | undefined
  readonly marks: readonly string[]
}

/**
 * Runs the checks in their order.
 *
 * ```js
 * const { step } = await interact(situation)
 * ```
 * @throws OAuthError to be sent to the client: with `prompt=none` in place of every page (OI-91)
 */
export async function interact (situation: Situation): Promise<Interaction> {
  const marks: string[] = []
  for (const check of Object.values(checks)) {
    const found = await check(situation)
    marks.push(...found.marks ?? [])
    if (found.step === undefined) continue
    if (situation.wish.prompts.includes('none')) throw found.refusal as OAuthError
    return { step: found.step, marks: [...new Set(marks)] }
  }
  return { step: undefined, marks: [...new Set(marks)] }
}
