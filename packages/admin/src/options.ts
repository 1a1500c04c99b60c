import { Type, type Static } from '@sinclair/typebox'

const Text = Type.Optional(Type.String())

/** Options of the plugin. `prefix` and those of the log are Fastify's. */
export const AdminSchema = Type.Object({
  prefix: Text,
  logLevel: Text,
  logSerializers: Type.Optional(Type.Object({})),
  /** Where the page is, below `prefix`. Default: `/admin`, or nothing where there is a `prefix`. */
  path: Type.Optional(Type.String({ pattern: '^/' })),
  /** Whether the page is served. Default: true, except with `NODE_ENV=production`. */
  enabled: Type.Optional(Type.Boolean()),
  /** What the page is called. Default: the title of the API. */
  title: Text,
  /** What clients put before the paths. Default: as the explorer was told, else the prefix of the REST routes. */
  basePath: Text,
  /**
   * Shows only what `@fastback/rest` published below this prefix. Default: as the explorer was told, else everything.
   */
  restApiRoot: Text,
  /**
   * What rows of a model are called by, where another property than the page would choose says it: its name, by the
   * model's. Default: the first of name, title, label, email, username that the model has.
   */
  titles: Type.Optional(Type.Record(Type.String(), Type.String()))
}, { additionalProperties: false })

export type AdminOptions = Omit<Static<typeof AdminSchema>, 'logLevel' | 'logSerializers'>

/** Where the page is, below the context that registers it; undefined where it is not served. */
export const pathOf = ({ enabled = process.env.NODE_ENV !== 'production', prefix, path }: AdminOptions): string | undefined =>
  enabled ? path ?? (prefix === undefined ? '/admin' : '') : undefined
