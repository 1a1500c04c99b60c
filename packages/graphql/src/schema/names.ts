/** Names of types and fields: what GraphQL takes, each once. */

const form = /^[A-Za-z_]\w*$/

/** Whether GraphQL takes a name as it is. Names that begin with two underscores are its own. */
export const isName = (text: string): boolean => form.test(text) && !text.startsWith('__')

/**
 * A name that GraphQL takes, for one that it may not take.
 *
 * ```js
 * nameOf('press-article') // 'press_article'
 * nameOf('2fa') // '_2fa'
 * ```
 */
export function nameOf (text: string): string {
  const name = text.replaceAll(/\W/g, '_').replace(/^_{2,}/, '_')
  return /^\d/.test(name) || name === '' ? `_${name}` : name
}

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
export const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** What a schema could not take as it is, and why. */
export type Report = (what: string, why: string) => void

/** The names of all types of a schema. */
export class TypeNames {
  readonly #taken: Set<string>
  readonly #report: Report

  constructor (reserved: readonly string[], report: Report) {
    this.#taken = new Set(reserved)
    this.#report = report
  }

  /** The name itself, or one like it that no other type has. */
  take (wanted: string): string {
    let name = nameOf(wanted)
    while (this.#taken.has(name)) name += '_'
    this.#taken.add(name)
    if (name !== wanted) this.#report(`the type "${wanted}"`, `it is called "${name}"`)
    return name
  }
}

/** The fields of one type, in the order in which they came. */
export class Fields<T> {
  readonly all: Record<string, T> = {}
  readonly #report: Report
  readonly #owner: string

  constructor (owner: string, report: Report) {
    this.#owner = owner
    this.#report = report
  }

  /** Adds a field, or reports why it is left out. */
  add (name: string, field: T): void {
    const why = !isName(name)
      ? 'GraphQL does not take the name'
      : Object.hasOwn(this.all, name) ? 'another field has the name' : undefined
    if (why === undefined) this.all[name] = field
    else this.#report(`the field "${this.#owner}.${name}"`, `it is left out: ${why}`)
  }

  get isEmpty (): boolean {
    return Object.keys(this.all).length === 0
  }
}
