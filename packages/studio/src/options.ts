import { Type, type Static } from '@sinclair/typebox'
import type { ViewName } from '@fastback/ui'

const Text = Type.Optional(Type.String())
const Part = Type.Optional(Type.Boolean())
const parts: Readonly<Record<ViewName, typeof Part>> = {
  data: Part, api: Part, models: Part, rights: Part, activity: Part
}

/** Options of the plugin. `prefix` and those of the log are Fastify's. */
export const StudioSchema = Type.Object({
  prefix: Text,
  logLevel: Text,
  logSerializers: Type.Optional(Type.Object({})),
  /** Where the page is, below `prefix`. Default: `/studio`, or nothing where there is a `prefix`. */
  path: Type.Optional(Type.String({ pattern: '^/' })),
  /** Whether the page is served. Default: true, except with `NODE_ENV=production`. */
  enabled: Type.Optional(Type.Boolean()),
  /** Whether a browser that opens `/` of the server is sent to the page. Default: false. */
  home: Type.Optional(Type.Boolean()),
  /** What the page is called. Default: the title of the API. */
  title: Text,
  /** What clients put before the paths. Default: as the explorer was told, else the prefix of the REST routes. */
  basePath: Text,
  /** Shows only what `@fastback/rest` published below this prefix. Default: as the explorer was told, else all. */
  restApiRoot: Text,
  /** What rows of a model are called by, its property by the model's name. As the admin page's option of this name. */
  titles: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** Parts of the page that are not wanted: `{ "activity": false }`. Default: all of them. */
  parts: Type.Optional(Type.Object(parts, { additionalProperties: false })),
  /**
   * Roles whose users see models, rights and activity. With `NODE_ENV=development` a browser on the server's own
   * machine sees them as well. Default: `["admin"]`.
   */
  roles: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  /** How many of the last requests are kept, in this process. Default: 200. */
  requests: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  /** From how many milliseconds on a request counts as slow. Default: 100. */
  slow: Type.Optional(Type.Integer({ minimum: 1 }))
}, { additionalProperties: false })

export type StudioOptions = Omit<Static<typeof StudioSchema>, 'logLevel' | 'logSerializers'>

/** Where the page is, below the context that registers it; undefined where it is not served. */
export const pathOf = (
  { enabled = process.env.NODE_ENV !== 'production', prefix, path }: StudioOptions
): string | undefined => enabled ? path ?? (prefix === undefined ? '/studio' : '') : undefined
