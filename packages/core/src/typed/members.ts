/** Declared properties of a definition and of the one that it extends, put together as the registry does. */

/** The properties of what a definition writes: the members of a TypeBox object, or JSON as it is. */
export type MembersOf<P> = P extends { readonly static: unknown, readonly properties: infer M } ? M : P

/** Names of the properties that are the id. */
export type IdKeys<M> = { [K in keyof M]: M[K] extends { readonly id: true | number } ? K : never }[keyof M]

type Flat<T> = { [K in keyof T]: T[K] }
type Schema = { readonly static: unknown }
type Definite<P> = P extends { readonly type: unknown } ? P : { readonly type: P }

/** A property that is declared again keeps what the new declaration does not say; a TypeBox schema says everything. */
type Merged<Base, Own> = Own extends Schema ? Own
  : Base extends Schema ? Own
    : Flat<Omit<Definite<Base>, keyof Definite<Own>> & Definite<Own>>

/** An id of the model's own takes the place of an inherited one; null and false drop a property. */
export type MergedMembers<Base, Own> = Flat<
  Omit<Base, keyof Own | ([IdKeys<Own>] extends [never] ? never : IdKeys<Base>)> & {
    [K in keyof Own as Own[K] extends null | false ? never : K]: K extends keyof Base ? Merged<Base[K], Own[K]> : Own[K]
  }
>
