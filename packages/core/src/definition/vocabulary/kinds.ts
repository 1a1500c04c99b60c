/** Shapes that the parts of the vocabulary share. */
import { Type, type TSchema } from '@sinclair/typebox'

/** A sentence or a list of sentences, as LoopBack writes long texts in JSON. */
export const Sentences = Type.Union([Type.String(), Type.Array(Type.String())])

/** LoopBack's `true` or a number, which orders compound ids. */
export const Flag = Type.Union([Type.Boolean(), Type.Number()])

/** JSON files write null where nothing is meant. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** An object whose keys are the application's, or another part's of the vocabulary. */
export const Keys = Type.Record(Type.String(), Type.Unknown())

/** What goes away. */
export const Deprecated = Type.Union([
  Type.Boolean(),
  Type.Object({
    since: Type.Optional(Type.String({ description: 'Since when it should not be used: a date, "2026-10-01", or one with a time.' })),
    sunset: Type.Optional(Type.String({ description: 'When it may be gone, not before "since".' })),
    link: Type.Optional(Type.String({ description: 'Address of a page that says what to use in its place.' }))
  }, { additionalProperties: false })
], {
  description: 'Tells clients to use it no longer: true in the description of the API, an object with the headers "Deprecation", "Sunset" and "Link" of responses as well.'
})

const UNREAD = Symbol('fastback.unread')

/** Why nothing reads a key. */
export interface Unread {
  /** What to write instead, as a sentence. */
  readonly says: string
  /** Whether tools write it into every definition, so that logs would be full of it. */
  readonly isOfTools: boolean
}

/**
 * A key that definitions of others have and that nothing reads: strict definitions refuse it, and open ones tell it.
 *
 * ```js
 * nestedKey: unread(Type.Optional(Type.String()), 'Take it away.')
 * ```
 */
export const unread = <T extends TSchema>(schema: T, says: string, isOfTools = false): T =>
  ({ ...schema, description: `Has no effect. ${says}`, [UNREAD]: { says, isOfTools } })

/** Why nothing reads the key; undefined for all others. */
export const unreadOf = (schema: TSchema): Unread | undefined =>
  (schema as { readonly [UNREAD]?: Unread })[UNREAD]

/**
 * Names of features that applications of others have, and that are not built here: anyone who writes one relies on it.
 */
export const featuresToCome: Readonly<Record<string, string>> = {
  encrypted: 'Values are stored as they are; encrypt them in the application, or in the store.'
}

/**
 * Blocks of settings for one connector (`"mysql": { "columnName": "…" }`). Whose connector it is decides about their
 * content, so that it is not looked into here.
 */
export const connectorBlocks: readonly string[] = [
  'cassandra', 'cloudant', 'couchdb', 'dashdb', 'db2', 'db2iseries', 'elasticsearch', 'firestore', 'kv-redis', 'mariadb',
  'memory', 'mongodb', 'mssql', 'mysql', 'neo4j', 'openapi', 'oracle', 'postgres', 'postgresql', 'redis', 'remote',
  'rest', 'soap', 'sql', 'sqlite', 'sqlite3'
]
