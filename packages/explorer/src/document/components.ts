import type { Schema } from '@fastback/ui/openapi'

/**
 * The named schemas of a document. A schema is made when it is first referred to, so that the document holds what it
 * uses and nothing else; its name is taken before that, so that schemas may refer to themselves.
 */
export class Components {
  readonly #schemas = new Map<string, Schema>()
  readonly #nameByKey = new Map<string, string>()
  readonly #taken = new Set<string>()

  /**
   * Gives `key` its name: the preferred one, or with a number behind it where another schema has that. Models come
   * first and keep their own names.
   */
  reserve (key: string, preferred: string): string {
    const known = this.#nameByKey.get(key)
    if (known !== undefined) return known
    const bare = preferred.replaceAll(/[^\w.-]/g, '_')
    let name = bare
    for (let count = 2; this.#taken.has(name); count++) name = `${bare}${count}`
    this.#taken.add(name)
    this.#nameByKey.set(key, name)
    return name
  }

  /** A reference to the schema with this key. */
  ref (key: string, preferred: string, make: () => Schema): Schema {
    const name = this.reserve(key, preferred)
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, {})
      this.#schemas.set(name, make())
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** The schema behind a reference, or the schema itself. */
  resolve (schema: Schema): Schema {
    const { $ref } = schema
    return typeof $ref === 'string' ? this.#schemas.get($ref.slice('#/components/schemas/'.length)) ?? {} : schema
  }

  /** All schemas, by name. */
  all (): Record<string, Schema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => a < b ? -1 : 1))
  }
}
