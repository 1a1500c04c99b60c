/** What a user writes about a model, and its one normalised form. */
import type { TObject } from '@sinclair/typebox'
import type { relationKinds } from './vocabulary/relation.js'
import type { KnownSettings } from './vocabulary/settings.js'

export interface PropertyDefinition {
  /** `'string'`, `String`, `['number']`, a model's name, an object of members … */
  type?: unknown
  id?: boolean | number
  generated?: boolean
  required?: boolean
  default?: unknown
  /** `guid`, `uuid`, `uuidv4`, `now`, `shortid`, `nanoid`. */
  defaultFn?: string
  hidden?: boolean
  protected?: boolean
  index?: boolean | { unique?: boolean, [key: string]: unknown }
  unique?: boolean
  /** Whether values are encrypted at rest, and found by a keyed hash of the whole value. Default: false. */
  sealed?: boolean | { readonly searchable?: boolean }
  length?: number
  enum?: unknown[]
  jsonSchema?: Record<string, unknown>
  /** Keywords for what clients send, of a value that the store has in another form (a hash). */
  bodySchema?: Record<string, unknown>
  description?: string | string[]
  useDefaultIdType?: boolean
  /** Everything else: per-connector objects (`mysql: { columnName }`), `precision`, `scale`, `updateOnly`, `acls` … */
  [key: string]: unknown
}

export type RelationType = keyof typeof relationKinds

export interface PolymorphicDefinition {
  selector?: string
  as?: string
  foreignKey?: string
  discriminator?: string
  idType?: unknown
  /**
   * On the belongsTo side: the only models that it may lead to. Without it those that declare the other side (S-80).
   */
  models?: string[]
  /** On the belongsTo side of several user models: the id's name on the other side. */
  idName?: string
}

export interface RelationDefinition {
  type: RelationType
  model?: string
  foreignKey?: string
  primaryKey?: string
  through?: string
  keyThrough?: string
  polymorphic?: boolean | string | PolymorphicDefinition
  /** Embedded relations: the property that holds the data. */
  property?: string
  scope?: Record<string, unknown>
  properties?: Record<string, string> | string[]
  invertProperties?: boolean
  idName?: string
  methods?: Record<string, unknown>
  /** What becomes of rows whose key leads to a row that is deleted. Default: they stay as they are. */
  onDelete?: 'restrict' | 'cascade' | 'setNull'
  /** The same for a key that changes; of constraints only. */
  onUpdate?: 'restrict' | 'cascade' | 'setNull'
  /** Whether the database has a constraint. Default: as the data source says. */
  foreignKeys?: boolean
  /**
   * Whether the data of a row may carry rows of the relation; "replace": a replacement also removes those that it does
   * not name. Default: false.
   */
  nestedWrite?: boolean | 'replace'
  options?: {
    disableInclude?: boolean
    nestRemoting?: boolean
    validate?: boolean
    forceId?: boolean
    persistent?: boolean
    autoId?: boolean
    default?: unknown
    http?: { path?: string }
    [key: string]: unknown
  }
  [key: string]: unknown
}

/** The properties that an access rule is about: names, "*" for all, "-name" for all but that one. */
export interface AclFields {
  read?: readonly string[]
  write?: readonly string[]
}

/** Levels of logins: a password, two factors (`mfa` is another word for `2fa`), a passkey. */
export type AssuranceLevel = '1fa' | '2fa' | 'mfa' | 'phr'

/** How a caller must have logged in: at least so surely, and at most so many seconds ago. */
export type AccessAssurance = AssuranceLevel | { acr?: AssuranceLevel, maxAge?: number }

/** One access rule. Read by `@fastback/acl`; the core only carries it. */
export interface AclDefinition {
  model?: string
  property?: string | string[]
  accessType?: string
  permission: string
  principalType: string
  principalId: string | number
  /** The rows that it is about: a condition whose values may be variables, or those that the caller owns. */
  rows?: Readonly<Record<string, unknown>> | 'own'
  /** What a row must be once it is written. Default: `rows`. */
  check?: Readonly<Record<string, unknown>> | 'own'
  /** Values that new rows get. */
  preset?: Readonly<Record<string, unknown>>
  fields?: AclFields
  /** False: what the rule would change is logged, and nothing else. */
  enforce?: boolean
  /** Of a rule that allows: how the caller must have logged in. */
  accessAssurance?: AccessAssurance
  [key: string]: unknown
}

/** A model as written in JSON, or the object form of `defineModel`. */
export interface ModelDefinitionInput {
  readonly name: string
  /** The model that this one extends: its name, its definition or its class. Default: `PersistedModel`. */
  readonly base?: string | { readonly name: string }
  readonly plural?: string
  /** Property name to definition or type, or a TypeBox object. */
  readonly properties?: Readonly<Record<string, unknown>> | TObject
  readonly relations?: Readonly<Record<string, unknown>>
  /** Rules; or an object that the application's own `Model.checkAccess` reads. */
  readonly acls?: readonly unknown[] | Readonly<Record<string, unknown>>
  readonly methods?: Readonly<Record<string, unknown>> | readonly unknown[]
  readonly mixins?: Readonly<Record<string, unknown>>
  readonly scopes?: Readonly<Record<string, unknown>>
  readonly scope?: unknown
  readonly hidden?: readonly string[]
  readonly protected?: readonly string[]
  /**
   * Further settings (`strict`, `forceId`, `http`, `indexes` …), also accepted at the top level and under `options`.
   */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly options?: Readonly<Record<string, unknown>>
  readonly [setting: string]: unknown
}

/** The normalised definition: every default filled in, every shorthand expanded, inheritance already applied. */
export interface ModelDefinition {
  readonly name: string
  /** Name of the model extended; undefined only for the root `Model`. */
  readonly base: string | undefined
  readonly plural: string
  readonly properties: Readonly<Record<string, PropertyDefinition>>
  readonly relations: Readonly<Record<string, RelationDefinition>>
  /** Rows of the base model first. */
  readonly acls: readonly AclDefinition[]
  readonly methods: Readonly<Record<string, unknown>>
  readonly mixins: Readonly<Record<string, unknown>>
  readonly scopes: Readonly<Record<string, unknown>>
  readonly scope: unknown
  readonly hidden: readonly string[]
  readonly protected: readonly string[]
  readonly idInjection: boolean
  readonly settings: Readonly<ModelSettings>
  /** Where it was written, for messages (`common/models/note.json`); undefined for definitions in code. */
  readonly source: string | undefined
}

/**
 * Settings of a model; the vocabulary says what each means. Others than those are carried along for anyone who reads
 * them.
 */
export interface ModelSettings extends KnownSettings {
  [key: string]: unknown
}
