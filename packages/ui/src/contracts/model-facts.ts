/** What a server says of its published models beyond their description, in the file `models.json` next to the page. */

/** A model that a key leads to. */
export interface KeyTarget {
  readonly model: string
  /** The property that the key is compared with, on the other side. */
  readonly target: string
}

/** A property whose values are keys of rows of published models. */
export interface KeyFacts {
  /** The relation. */
  readonly name: string
  readonly key: string
  /** Whether the property holds a list of keys. */
  readonly many: boolean
  /** Of a polymorphic relation: the property that names the model. */
  readonly discriminator?: string
  /** The model that it leads to; of a polymorphic relation each that it may lead to. */
  readonly to: readonly KeyTarget[]
}

/** Rows of a published model that have the key of this one. */
export interface ListFacts {
  readonly name: string
  readonly model: string
  readonly key: string
  /** The property of this row that the key is compared with. */
  readonly target: string
  /** What these rows have beside the key: the discriminator of a polymorphic relation. */
  readonly only: Readonly<Record<string, unknown>>
}

/** Rows of a published model that rows in between join to this one. */
export interface LinkFacts extends KeyTarget {
  readonly name: string
}

export interface ModelFacts {
  readonly name: string
  /** Name of the id; undefined where the rows have none. */
  readonly id?: string
  /** The property that rows are called by, where the option `titles` names one. */
  readonly title?: string
  /** The property that says when a row was put away, of models whose deleted rows can be restored. */
  readonly deletedAt?: string
  /** Properties that hold files. */
  readonly files: readonly string[]
  /** What properties of a new row begin with, as JSON: values that are the same for every row. */
  readonly defaults: Readonly<Record<string, unknown>>
  readonly keys: readonly KeyFacts[]
  readonly lists: readonly ListFacts[]
  readonly links: readonly LinkFacts[]
  /** Of a user model: what role mappings call its users. */
  readonly principalType?: string
}

export interface AdminFacts {
  readonly models: readonly ModelFacts[]
  /** The models of roles, as far as they are published. */
  readonly role?: string
  readonly mapping?: string
}
