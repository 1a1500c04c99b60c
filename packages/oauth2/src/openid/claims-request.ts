/** The parameter `claims` of an authorization request (OI-81, OI-82; Core, section 5.5). */
import { InvalidRequest } from '../errors.js'
import type { AcrWish } from './interaction/levels.js'

export interface ClaimsRequest {
  /** Names that are asked for at each response, in their order. */
  readonly idToken: readonly string[]
  readonly userinfo: readonly string[]
  /** The users that the client means: `value` or `values` of `sub`. */
  readonly subjects?: readonly string[] | undefined
  /** What `acr` of the id_token may be (OI-83). */
  readonly acr?: AcrWish | undefined
}

const noClaims: ClaimsRequest = { idToken: [], userinfo: [] }

const longest = 8192

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const malformed = (): InvalidRequest => new InvalidRequest('The parameter claims is malformed.')

/**
 * Reads the parameter.
 *
 * ```js
 * parseClaims('{"userinfo":{"email":null}}', name => name === 'email') // { idToken: [], userinfo: ['email'] }
 * ```
 * @param text JSON; undefined: nothing is asked for
 * @param isKnown whether a claim can have a value here: others are ignored
 * @throws InvalidRequest for more than 8 kB, malformed JSON, or members of another type
 */
export function parseClaims (text: string | undefined, isKnown: (claim: string) => boolean): ClaimsRequest {
  if (text === undefined) return noClaims
  if (Buffer.byteLength(text) > longest) throw new InvalidRequest('The parameter claims is too long.')
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw malformed()
  }
  if (!isObject(given)) throw malformed()
  const [idToken, userinfo] = [membersOf(given, 'id_token'), membersOf(given, 'userinfo')]
  const subjects = [...valuesOf(idToken.get('sub')), ...valuesOf(userinfo.get('sub'))]
  const acr = idToken.get('acr')
  const values = valuesOf(acr)
  return {
    idToken: [...idToken.keys()].filter(isKnown),
    userinfo: [...userinfo.keys()].filter(isKnown),
    ...(subjects.length === 0 ? {} : { subjects }),
    ...(values.length === 0 ? {} : { acr: { essential: acr?.essential === true, values } })
  }
}

/** The claims that are asked for at one response: null asks for any value. */
function membersOf (given: Members, at: 'id_token' | 'userinfo'): ReadonlyMap<string, Members | null> {
  const members = Object.hasOwn(given, at) ? given[at] : undefined
  if (members === undefined || members === null) return new Map()
  if (!isObject(members)) throw malformed()
  return new Map(Object.entries(members).map(([claim, wish]) => {
    if (wish !== null && !isObject(wish)) throw malformed()
    return [claim, wish]
  }))
}

function valuesOf (wish: Members | null | undefined): string[] {
  if (wish === null || wish === undefined) return []
  const values = [wish.value, ...Array.isArray(wish.values) ? wish.values as unknown[] : []]
  return values.filter(value => typeof value === 'string')
}
