import { Type, type Static } from '@sinclair/typebox'

const Text = Type.Optional(Type.String())
const Flag = Type.Optional(Type.Boolean())
const Count = Type.Optional(Type.Integer({ minimum: 1 }))

const LimitSettings = Type.Object({
  /** Characters of a document. Default: 20,000. */
  length: Count,
  /** Tokens of a document. Default: 2,000. */
  tokens: Count,
  /** Levels of a document's fields. Default: 10. */
  depth: Count,
  /** Fields of an operation, those of a fragment as often as it is used. Default: 500. */
  fields: Count,
  /** Fields with an alias, counted likewise. Default: 30. */
  aliases: Count,
  /** Fields of Query or Mutation in one operation: calls of methods. Default: 10. */
  calls: Count,
  /** Subscriptions of one connection. Default: 20. */
  subscriptions: Count,
  /** Bytes of a request. Default: 102,400. */
  body: Count,
  /** Levels of nesting in a request's JSON. Default: 64. */
  json: Count
}, { additionalProperties: false })

/** Options of the plugin. `prefix` and those of the log are Fastify's. */
export const GraphqlSchema = Type.Object({
  prefix: Text,
  logLevel: Text,
  logSerializers: Type.Optional(Type.Object({})),
  /** Where requests go, below `prefix`. Default: `/graphql`. */
  path: Type.Optional(Type.String({ pattern: '^/[^?#*:]*$' })),
  /** Prefix of the REST routes whose methods are called. Default: that of the first ones. */
  restApiRoot: Text,
  /**
   * Whether the schema can be asked for, and errors name fields that are like those that there are not. Default: true,
   * except with `NODE_ENV=production`.
   */
  introspection: Flag,
  /** Whether a request may have several operations, in a list. Default: false. */
  batch: Flag,
  /** Whether changes of models can be subscribed to, over WebSocket. Default: false. */
  subscriptions: Flag,
  /**
   * Origins of pages, beside this server's, that may open connections: `https://app.example.com`. Default: none.
   */
  origins: Type.Optional(Type.Array(Type.String())),
  /** Documents by names: clients send these, or the SHA-256 of the documents, in their place. Default: none. */
  persistedQueries: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** Whether only documents of `persistedQueries` are taken. Default: false. */
  onlyPersisted: Flag,
  /** Limits on documents and requests; single ones in place of the defaults. */
  limits: Type.Optional(LimitSettings)
}, { additionalProperties: false })

export type GraphqlOptions = Omit<Static<typeof GraphqlSchema>, 'prefix' | 'logLevel' | 'logSerializers'>

export type GraphqlLimits = Readonly<Required<Static<typeof LimitSettings>>>

/** Options with every default filled in. */
export interface Settings {
  readonly path: string
  readonly restApiRoot: string | undefined
  readonly introspection: boolean
  readonly batch: boolean
  readonly subscriptions: boolean
  readonly origins: readonly string[]
  readonly persistedQueries: Readonly<Record<string, string>> | undefined
  readonly onlyPersisted: boolean
  readonly limits: GraphqlLimits
}

export const defaultLimits: GraphqlLimits = Object.freeze({
  length: 20_000,
  tokens: 2000,
  depth: 10,
  fields: 500,
  aliases: 30,
  calls: 10,
  subscriptions: 20,
  body: 102_400,
  json: 64
})

export const settingsOf = (options: GraphqlOptions): Settings => ({
  path: options.path ?? '/graphql',
  restApiRoot: options.restApiRoot,
  introspection: options.introspection ?? process.env.NODE_ENV !== 'production',
  batch: options.batch ?? false,
  subscriptions: options.subscriptions ?? false,
  origins: options.origins ?? [],
  // Names of clients lead to documents alone.
  persistedQueries: options.persistedQueries === undefined
    ? undefined
    : Object.assign(Object.create(null) as Record<string, string>, options.persistedQueries),
  onlyPersisted: options.onlyPersisted ?? false,
  limits: { ...defaultLimits, ...options.limits }
})
