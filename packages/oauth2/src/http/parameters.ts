/**
 * Parameters of a request to an OAuth endpoint: texts by name, with what was sent more than once (O-003 to O-005,
 * O-078, O-079).
 */
import { InvalidRequest } from '../errors.js'

export class Parameters {
  readonly #values: ReadonlyMap<string, string>
  /** Names that were sent more than once. */
  readonly repeated: ReadonlySet<string>

  constructor (entries: Iterable<readonly [string, string]>) {
    const values = new Map<string, string>()
    const repeated = new Set<string>()
    for (const [name, value] of entries) {
      if (values.has(name)) repeated.add(name)
      else values.set(name, value)
    }
    this.#values = values
    this.repeated = repeated
  }

  static parse (text: string): Parameters {
    return new Parameters(new URLSearchParams(text))
  }

  static ofQuery (url: string): Parameters {
    const at = url.indexOf('?')
    return Parameters.parse(at === -1 ? '' : url.slice(at + 1))
  }

  /** A parameter without a value counts as left out. */
  get (name: string): string | undefined {
    const value = this.#values.get(name)
    return value === '' ? undefined : value
  }

  has (name: string): boolean {
    return this.#values.has(name)
  }

  /** @throws InvalidRequest */
  require (name: string): string {
    const value = this.get(name)
    if (value === undefined) throw new InvalidRequest(`The parameter ${name} is missing.`)
    return value
  }

  /** @throws InvalidRequest when one of them, or with no names any, was sent more than once */
  refuseRepeated (...names: string[]): void {
    if (names.length === 0 ? this.repeated.size > 0 : names.some(name => this.repeated.has(name))) {
      throw new InvalidRequest('A parameter was sent more than once.')
    }
  }

  toObject (): Record<string, string> {
    return Object.fromEntries([...this.#values].filter(([, value]) => value !== ''))
  }
}
