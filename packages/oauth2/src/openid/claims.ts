/** Claims about users: which there are, which scope gives them, and their values (OI-72 to OI-75, OI-84). */
import type { ModelClass, Row } from '@fastback/core'
import { ServerError } from '../errors.js'
import { claimValue, defaultClaims } from './default-claims.js'
import { forbiddenProperties, type ClaimContext, type ClaimFunction, type OpenIdSettings } from './options.js'

type Source = (user: Readonly<Row>, context: ClaimContext) => unknown

export class Claims {
  #sources: ReadonlyMap<string, Source> | undefined

  constructor (readonly User: ModelClass, readonly settings: Pick<OpenIdSettings, 'claims' | 'scopes'>) {
    User.registry.on('modelChanged', () => { this.#sources = undefined })
  }

  /** Names of the claims that users can have here. */
  get names (): readonly string[] {
    return [...this.#known.keys()]
  }

  has (claim: string): boolean {
    return this.#known.has(claim)
  }

  /** Scopes that give a claim. */
  get scopes (): readonly string[] {
    return [...this.settings.scopes.keys()].filter(scope => this.ofScopes([scope]).length > 0)
  }

  /** The claims that scopes give. */
  ofScopes (scopes: readonly string[]): readonly string[] {
    const named = new Set(scopes.flatMap(scope => this.settings.scopes.get(scope) ?? []))
    return [...named].filter(claim => this.has(claim))
  }

  /** The claims of each of some scopes, for the page that asks for consent. */
  byScope (scopes: readonly string[]): Record<string, readonly string[]> {
    return Object.fromEntries(scopes.map(scope => [scope, this.ofScopes([scope])]))
  }

  /**
   * Values of claims; those without a value are left out.
   *
   * ```js
   * await claims.valuesOf(user, ['email'], { clientId: 'shop', scopes: ['email'] }) // { email, email_verified }
   * ```
   * @param user the row, as it is stored now
   * @throws ServerError when a function of the option `claims` fails
   */
  async valuesOf (user: Readonly<Row>, names: readonly string[],
    context: ClaimContext): Promise<Record<string, unknown>> {
    const values: Record<string, unknown> = {}
    for (const name of new Set([...names, ...names.includes('email') ? ['email_verified'] : []])) {
      const value = claimValue(name, await this.#read(name, user, context))
      if (value !== undefined) values[name] = value
    }
    for (const [of, verified] of [['email', 'email_verified'], ['phone_number', 'phone_number_verified']] as const) {
      if (!(verified in values)) continue
      // Nothing is verified of what is not there.
      if (claimValue(of, await this.#read(of, user, context)) === undefined) delete values[verified]
    }
    if ('email' in values) values.email_verified ??= false
    return values
  }

  async #read (name: string, user: Readonly<Row>, context: ClaimContext): Promise<unknown> {
    try {
      return await this.#known.get(name)?.(user, context)
    } catch (error) {
      throw new ServerError('A claim could not be computed.', error)
    }
  }

  /** Models may be changed until the application is ready. */
  get #known (): ReadonlyMap<string, Source> {
    return (this.#sources ??= new Map([...this.#guessed(), ...this.#mapped()]))
  }

  /** Only what the model declares, and shows to everybody who may read a user (OI-73). */
  * #guessed (): Iterable<[string, Source]> {
    const { properties, hidden, protectedNames } = this.User.compiled
    const shown = new Set(properties.map(({ name }) => name).filter(name =>
      !hidden.has(name) && !protectedNames.has(name) && !forbiddenProperties.has(name)))
    for (const [claim, { from, read }] of defaultClaims) {
      if (!from.some(name => shown.has(name))) continue
      yield [claim, user => read(name => shown.has(name) ? user[name] : undefined)]
    }
  }

  * #mapped (): Iterable<[string, Source]> {
    for (const [claim, from] of Object.entries(this.settings.claims)) {
      yield [claim, typeof from === 'string' ? user => atPath(user, from) : ofFunction(from)]
    }
  }
}

function atPath (user: Readonly<Row>, path: string): unknown {
  let value: unknown = user
  for (const part of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined
    value = (value as Row)[part]
  }
  return value
}

const ofFunction = (compute: ClaimFunction): Source => (user, context) => {
  const shown = Object.entries(user).filter(([name]) => !forbiddenProperties.has(name))
  return compute(Object.freeze(Object.fromEntries(shown)), context)
}
