import { Type, type Static } from '@sinclair/typebox'

const Text = Type.Optional(Type.String())
const Flag = Type.Optional(Type.Boolean())
const Count = Type.Optional(Type.Integer({ minimum: 1 }))

const LimitSettings = Type.Object({
  /** Tools that there may be. Default: 200. */
  tools: Count,
  /** Rows of a list in one call. Default: 100. */
  rows: Count,
  /** Characters of a result. Default: 100,000. */
  result: Count,
  /** Characters of a reason, and of an argument of a prompt. Default: 1,000. */
  text: Count,
  /** Bytes of a request. Default: 102,400. */
  body: Count,
  /** Levels of nesting in a request's JSON. Default: 64. */
  json: Count
}, { additionalProperties: false })

/** Makes the text of a prompt from its arguments. */
export type PromptText = (args: Readonly<Record<string, string>>) => string | Promise<string>

const PromptSettings = Type.Object({
  title: Text,
  description: Text,
  /** By their names. */
  arguments: Type.Optional(Type.Record(Type.String(), Type.Object({
    description: Text,
    /** Default: false. */
    required: Flag
  }, { additionalProperties: false }))),
  /** What the user says to the model, with `{name}` for arguments; in code also a function. */
  text: Type.Unsafe<string | PromptText>(Type.Union([Type.String(), Type.Function([Type.Any()], Type.Any())]))
}, { additionalProperties: false })

/** Options of the plugin. `prefix` and those of the log are Fastify's. */
export const McpSchema = Type.Object({
  prefix: Text,
  logLevel: Text,
  logSerializers: Type.Optional(Type.Object({})),
  /** Where requests go, below `prefix`. Default: `/mcp`. */
  path: Type.Optional(Type.String({ pattern: '^/[^?#*:]*$' })),
  /** Prefix of the REST routes whose methods are called. Default: that of the first ones. */
  restApiRoot: Text,
  /** Name of the server, for its clients. Default: `fastback`. */
  name: Text,
  /** Version of the server, for its clients. Default: `1.0.0`. */
  version: Text,
  /** What agents should know of the server. Default: nothing. */
  instructions: Text,
  /** Models whose reading methods are tools. Default: all published ones, where `tools` is not set either. */
  models: Type.Optional(Type.Array(Type.String())),
  /** Methods that are tools, by model: `{ "Note": ["find", "create"] }`. Default: none in addition to `models`. */
  tools: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  /**
   * Whether clients should have a tool confirmed by their user, by the name of the tool. Default: for all that write,
   * except where rows are only added.
   */
  confirm: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
  /** Prompts for users of clients, by their names. Default: none. */
  prompts: Type.Optional(Type.Record(Type.String(), PromptSettings)),
  /** Whether requests without a token are served. Default: false, except where nothing reads tokens. */
  anonymous: Flag,
  /** Whether only tokens of the application's OAuth provider are taken. Default: true where there is one. */
  oauth: Flag,
  /** Whom OAuth tokens must be for: the address of this endpoint. Default: `issuer` of the provider, with the path. */
  resource: Text,
  /** Scopes, one of which an OAuth token must have. Default: none. */
  scope: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  /** Origins of pages that may send requests: `https://app.example.com`. Default: none. */
  origins: Type.Optional(Type.Array(Type.String())),
  /** Limits on requests and results; single ones in place of the defaults. */
  limits: Type.Optional(LimitSettings)
}, { additionalProperties: false })

export type McpOptions = Omit<Static<typeof McpSchema>, 'prefix' | 'logLevel' | 'logSerializers'>

export type McpLimits = Readonly<Required<Static<typeof LimitSettings>>>

export type PromptOptions = Static<typeof PromptSettings>

/** Options with every default filled in; `undefined` where the application decides. */
export interface Settings {
  readonly path: string
  readonly restApiRoot: string | undefined
  readonly name: string
  readonly version: string
  readonly instructions: string | undefined
  readonly models: readonly string[] | undefined
  readonly tools: Readonly<Record<string, readonly string[]>> | undefined
  readonly confirm: Readonly<Record<string, boolean>>
  readonly prompts: Readonly<Record<string, PromptOptions>>
  readonly anonymous: boolean | undefined
  readonly oauth: boolean | undefined
  readonly resource: string | undefined
  readonly scope: string | string[] | undefined
  readonly origins: readonly string[]
  readonly limits: McpLimits
}

export const defaultLimits: McpLimits = Object.freeze({
  tools: 200,
  rows: 100,
  result: 100_000,
  text: 1000,
  body: 102_400,
  json: 64
})

export const settingsOf = (options: McpOptions): Settings => ({
  path: options.path ?? '/mcp',
  restApiRoot: options.restApiRoot,
  name: options.name ?? 'fastback',
  version: options.version ?? '1.0.0',
  instructions: options.instructions,
  models: options.models,
  tools: options.tools,
  confirm: options.confirm ?? {},
  prompts: options.prompts ?? {},
  anonymous: options.anonymous,
  oauth: options.oauth,
  resource: options.resource,
  scope: options.scope,
  origins: options.origins ?? [],
  limits: { ...defaultLimits, ...options.limits }
})
