/** What of a server's schema is needed to write documents: its types, as introspection gives them. */

export interface TypeRef { readonly kind: string, readonly name: string | null, readonly ofType: TypeRef | null }
interface Argument { readonly name: string, readonly type: TypeRef }
export interface SchemaField { readonly name: string, readonly args: readonly Argument[], readonly type: TypeRef }
interface SchemaType {
  readonly name: string
  readonly fields: readonly SchemaField[] | null
  readonly inputFields: readonly Argument[] | null
  readonly enumValues: ReadonlyArray<{ readonly name: string }> | null
}

const ref = 'kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }'

export const introspection = `{ __schema { types {
  name enumValues { name } inputFields { name type { ${ref} } }
  fields { name type { ${ref} } args { name type { ${ref} } } }
} } }`

export const named = (type: TypeRef): TypeRef => type.ofType === null ? type : named(type.ofType)
export const isList = (type: TypeRef): boolean => type.kind === 'LIST' || (type.ofType !== null && isList(type.ofType))

/** A type as documents write it: `[ID!]!`. */
export function written (type: TypeRef): string {
  if (type.ofType === null) return String(type.name)
  return type.kind === 'LIST' ? `[${written(type.ofType)}]` : `${written(type.ofType)}!`
}

export class Schema {
  readonly #types: ReadonlyMap<string, SchemaType>

  constructor (data: { readonly __schema: { readonly types: readonly SchemaType[] } }) {
    this.#types = new Map(data.__schema.types.map(type => [type.name, type]))
  }

  field (type: string, name: string): SchemaField | undefined {
    return this.#types.get(type)?.fields?.find(field => field.name === name)
  }

  fields (type: string): readonly SchemaField[] {
    return this.#types.get(type)?.fields ?? []
  }

  /** The type of a member of an input type. */
  member (type: string, name: string): TypeRef | undefined {
    return this.#types.get(type)?.inputFields?.find(member => member.name === name)?.type
  }

  hasValue (type: string, value: string): boolean {
    return this.#types.get(type)?.enumValues?.some(({ name }) => name === value) === true
  }
}
