/** The options of the plugin as they are written. */
import { Type, type Static } from '@sinclair/typebox'
import { BatchSchema } from './batch/settings.js'
import { ErrorFormSchema } from './errors/error-form.js'
import { IdempotencySchema } from './idempotency/settings.js'
import { LinesSchema } from './lines/settings.js'
import { LiveSocketSchema } from './live/settings.js'
import { FormLimitSettings } from './multipart/form-limits.js'
import { Size } from './parse/size.js'
import { ResponseBatchingSchema } from './responses/response-batch.js'
import { StreamingSchema } from './rows/streaming.js'

const SharedMethods = Type.Record(Type.String(), Type.Boolean())
const ErrorDetails = Type.Union([Type.Literal('array'), Type.Literal('loopback3')])
const Count = Type.Optional(Type.Integer({ minimum: 1 }))

/**
 * What code says among the options of the plugin, and a folder in its configuration, `remoting.rest`. Where both do,
 * the option of the plugin counts.
 */
const eitherWay = {
  /** Form of `error.details` of validation errors. Default: `array`. */
  errorDetails: Type.Optional(ErrorDetails),
  /**
   * Form of errors: `coded`, `loopback` (without the codes that LoopBack does not have) or `problem` (RFC 9457).
   * Default: `coded`.
   */
  errors: Type.Optional(ErrorFormSchema),
  /**
   * How values of arguments and rows are taken: `loopback3` converts them as LoopBack 3 does; the model setting
   * `coercion` wins. Default: `strict`.
   */
  coercion: Type.Optional(Type.Union([Type.Literal('strict'), Type.Literal('loopback3')])),
  /**
   * Whether lists come with their total: `asked` counts for requests with `Prefer: count=exact`, true for all.
   * Default: false.
   */
  totalCount: Type.Optional(Type.Union([Type.Boolean(), Type.Literal('asked')])),
  /**
   * Whether lists are explained to administrators who send `Prefer: explain`: the statements, the plans of the
   * database, what index is missing. A text is the name of their role, true stands for `admin`. Never with
   * `NODE_ENV=production`. Default: false.
   */
  explain: Type.Optional(Type.Union([Type.Boolean(), Type.String({ minLength: 1 })])),
  /** Whether a path that other verbs have answers 405 with `Allow`, and not 404. Default: false. */
  methodNotAllowed: Type.Optional(Type.Boolean()),
  /** Limits on the texts of queries and forms; single ones in place of the defaults. */
  limits: Type.Optional(Type.Object(
    { parameters: Count, listItems: Count, brackets: Count, objectText: Count },
    { additionalProperties: false }
  )),
  /** Limits on forms with files; single ones in place of the defaults. */
  forms: Type.Optional(FormLimitSettings),
  /**
   * How much goes out together where requests arrive together; single limits in place of the defaults. False: each
   * answer at once.
   */
  responseBatching: Type.Optional(ResponseBatchingSchema),
  /**
   * Whether lists are written row by row as NDJSON and CSV to who asks for these: true, or the limits that differ
   * from the defaults; the model setting `streaming` wins. Default: false.
   */
  streaming: Type.Optional(StreamingSchema),
  /** Operations of one JSON patch. Default: 100. */
  patchOperations: Count,
  /** Limits on rows that are created from lines of JSON; single ones in place of the defaults. */
  lines: Type.Optional(LinesSchema),
  /**
   * Whether requests that write may have an `Idempotency-Key`, by which repeats of one have its effect once: true, or
   * the limits that differ from the defaults; the model setting `idempotency` wins. Default: false.
   */
  idempotency: Type.Optional(IdempotencySchema),
  /**
   * Whether `POST /batch` takes several operations in one request: true, or the limits that differ from the defaults.
   * Default: false.
   */
  batch: Type.Optional(BatchSchema),
  /**
   * Whether live queries come over WebSockets as well, at `/live`: true, or what differs from the defaults. The
   * models say which of them have live queries (setting `live`). Default: false.
   */
  liveSocket: Type.Optional(LiveSocketSchema)
}
type EitherWay = typeof eitherWay
export const eitherWayNames = Object.keys(eitherWay) as ReadonlyArray<keyof EitherWay>
export type EitherWayOptions = { [Name in keyof EitherWay]?: Static<EitherWay[Name]> }

const ErrorHandlerSettings = Type.Object({
  debug: Type.Optional(Type.Boolean()),
  log: Type.Optional(Type.Boolean()),
  safeFields: Type.Optional(Type.Array(Type.String())),
  rootProperty: Type.Optional(Type.Union([Type.String(), Type.Literal(false)])),
  negotiateContentType: Type.Optional(Type.Boolean()),
  defaultType: Type.Optional(Type.String()),
  errorDetails: eitherWay.errorDetails,
  errors: eitherWay.errors
})

/**
 * The object `remoting` of LoopBack's `server/config.json`. Keys that are not known are left alone, as LoopBack does.
 */
const RemotingSchema = Type.Object({
  rest: Type.Optional(
    Type.Object({
      normalizeHttpPath: Type.Optional(Type.Boolean()),
      xml: Type.Optional(Type.Boolean()),
      handleErrors: Type.Optional(Type.Boolean()),
      handleUnknownPaths: Type.Optional(Type.Boolean()),
      supportedTypes: Type.Optional(Type.Array(Type.String())),
      arrayItemDelimiters: Type.Optional(Type.Array(Type.String())),
      ...eitherWay
    })
  ),
  json: Type.Optional(
    Type.Object({
      limit: Type.Optional(Size),
      type: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]))
    })
  ),
  urlencoded: Type.Optional(Type.Object({ limit: Type.Optional(Size) })),
  /** False: what LoopBack does where nothing is said. */
  errorHandler: Type.Optional(Type.Union([ErrorHandlerSettings, Type.Literal(false)])),
  sharedMethods: Type.Optional(SharedMethods),
  context: Type.Optional(Type.Unknown()),
  cors: Type.Optional(Type.Unknown())
})
export type RemotingSettings = Static<typeof RemotingSchema>

/** Options of the plugin, with those of Fastify's `register` that come along. */
export const RestSchema = Type.Object(
  {
    prefix: Type.Optional(Type.String()),
    logLevel: Type.Optional(Type.String()),
    logSerializers: Type.Optional(Type.Object({})),
    /**
     * Which models are published, where it differs from what `registry.attach` said; with the methods that are shared
     * of each.
     */
    models: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([
          Type.Boolean(),
          Type.Object(
            { public: Type.Optional(Type.Boolean()), sharedMethods: Type.Optional(SharedMethods) },
            { additionalProperties: false }
          )
        ])
      )
    ),
    /**
     * Where several applications share a registry: the model classes of this one. Default: all of the registry. Each is
     * published as `registry.attach` and `models` say.
     */
    ofApplication: Type.Optional(Type.Array(Type.Unknown())),
    remoting: Type.Optional(RemotingSchema),
    ...eitherWay,
    /** Size of bodies, JSON and forms: bytes, or text like `1mb`. Default: `100kb`. */
    bodyLimit: Type.Optional(Size),
    /** Levels of nesting in a JSON body. Default: 64. */
    jsonDepth: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Milliseconds between signs of life on event streams. Default: 15,000. */
    heartbeat: Type.Optional(Type.Integer({ minimum: 1 })),
    /**
     * False: rules of models need not be enforced by `@fastback/acl`. Default: true; models with rules are not
     * published without it.
     */
    accessControl: Type.Optional(Type.Boolean()),
    /** What `req.app` is for Express code: an Express application, or an object with its functions. */
    application: Type.Optional(Type.Unknown())
  },
  { additionalProperties: false }
)
/** Options of the plugin. `prefix` and the log options are Fastify's. */
export type RestOptions = Omit<Static<typeof RestSchema>, 'prefix' | 'logLevel' | 'logSerializers'>
