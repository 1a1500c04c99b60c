/** What the studio's server says of models: `definitions.json`, `database.json`, `counts.json`, `POST models/…`. */
import type { SourceLocation } from './rights.js'

export interface PropertyDefinition {
  readonly name: string
  /** `string`, `[number]`, `Address`. */
  readonly type: string
  readonly id: boolean
  /** Whether the store makes the value. */
  readonly generated: boolean
  readonly required: boolean
  /** Never sent to clients. */
  readonly hidden: boolean
  /** Sent, except where the row is included into another one. */
  readonly protected: boolean
  readonly index: boolean
  /** As it is written: a value, or the name of what makes it (`guid`, `now`). */
  readonly default?: unknown
  readonly description?: string
  /** The values that are allowed. */
  readonly enum?: readonly unknown[]
}

export interface RelationDefinition {
  readonly name: string
  /** `belongsTo`, `hasMany`, … */
  readonly type: string
  /** Absent where each row says which model it leads to. */
  readonly target?: string
  /** Properties of the model, or of the other one, that hold the key. */
  readonly foreignKey?: string
  readonly through?: string
  readonly keyThrough?: string
  /** Whether rows are kept within the row. */
  readonly embedded: boolean
  /** Whether the row that has it holds the key. */
  readonly holdsKey: boolean
  /** Whether it leads to several rows. */
  readonly multiple: boolean
}

export interface IndexDefinition {
  readonly name: string
  readonly unique: boolean
  readonly columns: ReadonlyArray<{ readonly property: string, readonly descending: boolean }>
}

export interface MethodDefinition {
  /** With `prototype.` where it is one of instances. */
  readonly name: string
  readonly accessType: string
  readonly description?: string
  /** Where clients call it: `GET /api/Notes/{id}`; empty where it has no route. */
  readonly routes: readonly string[]
  /** Whether the application wrote it. */
  readonly own: boolean
}

export interface ModelDefinitionView {
  readonly name: string
  /** The model that it extends. */
  readonly base?: string
  readonly public: boolean
  readonly plural: string
  /** Where its routes are: `/api/Notes`. */
  readonly path?: string
  readonly dataSource?: string
  /** `memory`, `postgresql`, … */
  readonly connector?: string
  readonly description?: string
  readonly mixins: readonly string[]
  readonly properties: readonly PropertyDefinition[]
  readonly relations: readonly RelationDefinition[]
  readonly indexes: readonly IndexDefinition[]
  readonly methods: readonly MethodDefinition[]
  /** Settings that the definition has, without rules and what is above. */
  readonly settings: Readonly<Record<string, unknown>>
  /** How many rules it has. */
  readonly rules: number
  readonly source?: SourceLocation
  /** Whether the framework brings it. */
  readonly builtin: boolean
}

/** `GET definitions.json` */
export interface Definitions {
  readonly models: readonly ModelDefinitionView[]
  /** Types that models can extend, and types of properties, for forms that make new ones. */
  readonly bases: readonly string[]
  readonly types: readonly string[]
  readonly dataSources: ReadonlyArray<{ readonly name: string, readonly connector: string }>
}

export interface DatabaseColumn {
  readonly name: string
  /** As the database calls it. */
  readonly type: string
  readonly nullable: boolean
  readonly primaryKey: boolean
  /** The property that it is the column of; absent where there is none. */
  readonly property?: string
}

/** `GET database.json?model` */
export interface DatabaseTable {
  readonly model: string
  readonly dataSource?: string
  readonly connector?: string
  /** Why there is nothing to show: the store has no tables, or cannot be reached. */
  readonly none?: string
  readonly table?: string
  /** Whether the table is there. */
  readonly exists?: boolean
  readonly columns?: readonly DatabaseColumn[]
  /** What `fastback migrate` would do: empty where the table is as the model says. */
  readonly pending?: ReadonlyArray<{
    /** In words. */
    readonly change: string
    /** What is done, as the database takes it. */
    readonly statements: readonly string[]
    /** Whether values would be lost, so that somebody has to say so. */
    readonly destructive: boolean
  }>
}

/** `GET counts.json`: rows by model, as far as the caller may count them and it is done in time. */
export type Counts = Readonly<Record<string, number>>

/** Body of `POST models/propose`. */
export type ProposedChange =
  | {
    readonly kind: 'model'
    readonly name: string
    readonly base?: string
    readonly dataSource?: string
    readonly public?: boolean
    readonly plural?: string
    readonly properties?: ReadonlyArray<{ readonly name: string, readonly type: string, readonly required?: boolean }>
  }
  | {
    readonly kind: 'property'
    readonly model: string
    readonly name: string
    readonly type: string
    readonly required?: boolean
    /** Text, as in a form; it is read by the type. */
    readonly default?: string
    /** Replaces a property of this name. */
    readonly replace?: boolean
  }
  | {
    readonly kind: 'relation'
    readonly model: string
    readonly type: 'belongsTo' | 'hasMany' | 'hasOne' | 'hasAndBelongsToMany'
    readonly to: string
    readonly name?: string
    readonly foreignKey?: string
    readonly through?: string
    readonly replace?: boolean
  }

/** `POST models/propose`: nothing is written. */
export interface Proposal {
  /** For `POST models/apply`: `{ "token": … }`. It holds until files change. */
  readonly token: string
  readonly files: ReadonlyArray<{
    /** Relative to the application folder. */
    readonly file: string
    readonly isNew: boolean
    /** In the unified format, three lines of context. */
    readonly diff: string
  }>
  readonly warnings: readonly string[]
}

/** `POST models/apply` and `POST models/undo` */
export interface Applied {
  readonly files: readonly string[]
  /** `watch`: the server starts again by itself; `manual`: whoever started it has to. */
  readonly restart: 'watch' | 'manual'
}
