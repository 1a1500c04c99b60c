/**
 * Parameters of a request to an OAuth endpoint: texts by name, with what was sent more than once (O-003 to O-005,
 * O-078, O-079).
 */
import { InvalidRequest } from '../errors.js'

export class Parameters {
  readonly #values: ReadonlyMap<string, string>
  readonly #more: ReadonlyArray<readonly [string, string]>
  /** Names that were sent more than once. */
  readonly repeated: ReadonlySet<string>

  constructor (entries: Iterable<readonly [string, string]>) {
    const values = new Map<string, string>()
    const more: Array<readonly [string, string]> = []
    const repeated = new Set<string>()
    for (const [name, value] of entries) {
      if (values.has(name)) {
        repeated.add(name)
        more.push([name, value])
      } else values.set(name, value)
    }
    this.#values = values
    this.#more = more
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

  /** All values of a parameter that may be sent more than once. */
  all (name: string): string[] {
    const values = [this.#values.get(name), ...this.#more.filter(([each]) => each === name).map(([, value]) => value)]
    return values.filter((value): value is string => value !== undefined && value !== '')
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

  /** @throws InvalidRequest when one was sent more than once that may not be */
  refuseRepeatedBut (name: string): void {
    if ([...this.repeated].some(each => each !== name)) throw new InvalidRequest('A parameter was sent more than once.')
  }

  /** All of them as the query of an address. */
  toQuery (): string {
    const query = new URLSearchParams()
    for (const [name, value] of [...this.#values, ...this.#more]) query.append(name, value)
    return query.toString()
  }

  /** As texts by name; several values of one are a text with blanks between them. */
  toObject (): Record<string, string> {
    return Object.fromEntries([...this.#values.keys()].map(name => [name, this.all(name).join(' ')] as const)
      .filter(([, value]) => value !== ''))
  }
}
