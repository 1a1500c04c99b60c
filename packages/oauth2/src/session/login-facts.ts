/**
 * How and when the user of a token logged in: carried from the login to the code, and to every token of the grant
 * (openid.md, OI-102). Grants of OpenID Connect have it in their context; others where somebody asks for it.
 */
import type { Assurance } from '@fastback/auth/service'
import type { Row } from '@fastback/core'
import { contextOf, type StoredParameter } from '../openid/context.js'

/** Of a login. */
export interface LoginFacts {
  /** RFC 8176. */
  readonly amr: readonly string[]
  /** Seconds since 1970. */
  readonly authTime: number
}

const name = 'login'

/** As a row of a code or a token has it, in its member `parameters`. */
export const storedLogin = ({ amr, authTime }: LoginFacts): StoredParameter[] =>
  [{ name, value: JSON.stringify({ amr, authTime }) }]

/**
 * The login that a row of a code or a token stands on; undefined where the row does not say.
 *
 * ```js
 * loginIn({ parameters: [{ name: 'login', value: '{"amr":["pwd"],"authTime":1}' }] }) // { amr: ['pwd'], authTime: 1 }
 * ```
 */
export function loginIn (row: Readonly<Row>): LoginFacts | undefined {
  const { parameters } = row
  if (!Array.isArray(parameters)) return undefined
  const found = (parameters as StoredParameter[]).find(parameter => parameter.name === name)
  return found === undefined ? contextOf(row) : JSON.parse(found.value) as LoginFacts
}

/**
 * What `authenticate(paths, { acrValues, maxAge })` asks for; undefined: nothing.
 *
 * ```js
 * pathAssurance({ acrValues: ['2fa'], maxAge: 300 }, ['1fa', '2fa', 'phr']) // { acr: '2fa', maxAge: 300 }
 * ```
 * @param names of the three levels, the weakest first
 * @returns the name of a value that is none of them, as a text
 */
export function pathAssurance (
  { acrValues = [], maxAge }: {
    readonly acrValues?: readonly string[] | undefined
    readonly maxAge?: number | undefined
  },
  names: readonly string[]
): Assurance | string | undefined {
  if (acrValues.length === 0 && maxAge === undefined) return undefined
  const wrong = acrValues.find(value => !names.includes(value))
  if (wrong !== undefined) return wrong
  const least = acrValues.length === 0 ? 0 : Math.min(...acrValues.map(value => names.indexOf(value)))
  return { acr: (['1fa', '2fa', 'phr'] as const)[least as 0 | 1 | 2], maxAge }
}
