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

/**
 * Blocks of settings for one connector (`"mysql": { "columnName": "…" }`). Whose connector it is decides about their
 * content, so that it is not looked into here.
 */
export const connectorBlocks: readonly string[] = [
  'cassandra', 'cloudant', 'couchdb', 'dashdb', 'db2', 'db2iseries', 'elasticsearch', 'firestore', 'kv-redis', 'memory',
  'mongodb', 'mssql', 'mysql', 'neo4j', 'openapi', 'oracle', 'postgresql', 'redis', 'remote', 'rest', 'soap', 'sql',
  'sqlite', 'sqlite3'
]
