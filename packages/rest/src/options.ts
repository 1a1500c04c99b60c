import { Type, type Static } from '@sinclair/typebox'
import type { ModelClass } from '@fastback/core'
import { checkOptions } from '@fastback/core/remote'
import { formType, type BodyOptions } from './parse/body-parser.js'
import type { Coercion } from './parse/loopback3.js'
import { defaultJsonDepth } from './parse/json.js'
import { defaultTextLimits, fieldsParser, type TextLimits } from './parse/query.js'
import { bytesOf, Size } from './parse/size.js'
import { FormLimitSettings, type FormLimits } from './multipart/form-limits.js'
import { InvalidOptionsError, RemovedSettingError } from './errors/startup-errors.js'
import type { Explaining } from './handlers/explained-list.js'
import type { TotalCount } from './handlers/total-count.js'
import { StreamingSchema, type Streaming } from './rows/streaming.js'
import {
  ResponseBatchingSchema, defaultHoldingLimits, type ResponseBatching, type HoldingLimits
} from './responses/response-batch.js'
import type { PatchLimits } from './patches/json-patch.js'
import { lineLimits, LinesSchema, type LineLimits } from './lines/settings.js'
import { BatchSchema, batchLimits, type BatchLimits } from './batch/settings.js'
import { liveSocketLimits, LiveSocketSchema, type LiveSocketLimits } from './live/settings.js'
import { IdempotencySchema, type IdempotencySetting } from './idempotency/settings.js'
import { ErrorFormSchema } from './errors/error-form.js'
import type { ErrorHandlerOptions } from './errors/error-handler.js'

const SharedMethods = Type.Record(Type.String(), Type.Boolean())
const ErrorDetails = Type.Union([Type.Literal('array'), Type.Literal('loopback3')])
const CoercionSetting = Type.Union([Type.Literal('strict'), Type.Literal('loopback3')])
const TotalCountSetting = Type.Union([Type.Boolean(), Type.Literal('asked')])
const ExplainSetting = Type.Union([Type.Boolean(), Type.String({ minLength: 1 })])

const Count = Type.Optional(Type.Integer({ minimum: 1 }))
const LimitSettings = Type.Object(
  { parameters: Count, listItems: Count, brackets: Count, objectText: Count },
  { additionalProperties: false }
)

const ErrorHandlerSettings = Type.Object({
  debug: Type.Optional(Type.Boolean()),
  log: Type.Optional(Type.Boolean()),
  safeFields: Type.Optional(Type.Array(Type.String())),
  rootProperty: Type.Optional(Type.Union([Type.String(), Type.Literal(false)])),
  negotiateContentType: Type.Optional(Type.Boolean()),
  defaultType: Type.Optional(Type.String()),
  errorDetails: Type.Optional(ErrorDetails),
  errors: Type.Optional(ErrorFormSchema)
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
      errorDetails: Type.Optional(ErrorDetails),
      errors: Type.Optional(ErrorFormSchema),
      coercion: Type.Optional(CoercionSetting),
      totalCount: Type.Optional(TotalCountSetting),
      explain: Type.Optional(ExplainSetting),
      methodNotAllowed: Type.Optional(Type.Boolean()),
      limits: Type.Optional(LimitSettings),
      forms: Type.Optional(FormLimitSettings),
      responseBatching: Type.Optional(ResponseBatchingSchema),
      streaming: Type.Optional(StreamingSchema),
      patchOperations: Count,
      lines: Type.Optional(LinesSchema),
      idempotency: Type.Optional(IdempotencySchema),
      batch: Type.Optional(BatchSchema),
      liveSocket: Type.Optional(LiveSocketSchema)
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
const RestSchema = Type.Object(
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
    coercion: Type.Optional(CoercionSetting),
    /** Size of bodies, JSON and forms: bytes, or text like `1mb`. Default: `100kb`. */
    bodyLimit: Type.Optional(Size),
    /** Levels of nesting in a JSON body. Default: 64. */
    jsonDepth: Type.Optional(Type.Integer({ minimum: 1 })),
    /**
     * Whether lists come with their total: `asked` counts for requests with `Prefer: count=exact`, true for all.
     * Default: false.
     */
    totalCount: Type.Optional(TotalCountSetting),
    /**
     * Whether lists are explained to administrators who send `Prefer: explain`: the statements, the plans of the
     * database, what index is missing. A text is the name of their role, true stands for `admin`. Never with
     * `NODE_ENV=production`. Default: false.
     */
    explain: Type.Optional(ExplainSetting),
    /** Whether a path that other verbs have answers 405 with `Allow`, and not 404. Default: false. */
    methodNotAllowed: Type.Optional(Type.Boolean()),
    /** Limits on the texts of queries and forms; single ones in place of the defaults. */
    limits: Type.Optional(LimitSettings),
    /** Milliseconds between signs of life on event streams. Default: 15,000. */
    heartbeat: Type.Optional(Type.Integer({ minimum: 1 })),
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
    liveSocket: Type.Optional(LiveSocketSchema),
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

/** Options with every default filled in. */
export interface Settings {
  readonly models: NonNullable<RestOptions['models']>
  readonly ofApplication: readonly ModelClass[] | undefined
  readonly sharedMethods: Readonly<Record<string, boolean>> | undefined
  readonly normalizeHttpPath: boolean
  readonly xml: boolean
  readonly supportedTypes: readonly string[] | undefined
  readonly arrayItemDelimiters: readonly string[] | undefined
  readonly coercion: Coercion
  readonly handleErrors: boolean
  readonly handleUnknownPaths: boolean
  readonly errorHandler: ErrorHandlerOptions
  readonly body: BodyOptions
  readonly mediaTypes: readonly string[]
  readonly limits: TextLimits
  readonly totalCount: TotalCount
  readonly explaining: Explaining
  readonly methodNotAllowed: boolean
  readonly heartbeat: number
  readonly forms: Partial<FormLimits>
  readonly patches: PatchLimits
  readonly lines: LineLimits
  /** Undefined: each answer at once. */
  readonly responseBatching: HoldingLimits | undefined
  readonly streaming: Streaming
  readonly idempotency: IdempotencySetting
  /** Undefined: there is no route for them. */
  readonly batch: BatchLimits | undefined
  /** Undefined: there is no route for them. */
  readonly liveSocket: LiveSocketLimits | undefined
  readonly accessControl: boolean
  readonly application: object | undefined
  /** Set when every request must fail, with this message (specification, Versioning 16). */
  readonly removedContext: string | undefined
}

const defaultPatchOperations = 100

/** LoopBack's. */
const defaultBodyLimit = '100kb'

/**
 * @throws FBK_REST_INVALID_OPTIONS naming the path of what is wrong, FBK_REST_REMOVED_SETTING for `remoting.cors`
 */
export function readOptions (options: RestOptions): Settings {
  const { remoting = {}, bodyLimit = defaultBodyLimit } = checkOptions(RestSchema, options, InvalidOptionsError)
  const { rest = {}, json = {}, urlencoded = {} } = remoting
  if (isOn(remoting.cors)) {
    throw new RemovedSettingError(
      'remoting.cors option was removed in version 3.0: register a CORS plugin or middleware instead and set it to false.'
    )
  }
  const errorHandler = remoting.errorHandler === false ? {} : remoting.errorHandler
  const limits = { ...defaultTextLimits, ...rest.limits, ...options.limits }
  const jsonTypes = [
    ...new Set([
      'application/json',
      ...[json.type ?? []].flat().filter(type => type.includes('/') && !type.includes('*'))
    ])
  ]
  return {
    models: options.models ?? {},
    ofApplication: options.ofApplication as ModelClass[] | undefined,
    sharedMethods: remoting.sharedMethods,
    normalizeHttpPath: rest.normalizeHttpPath ?? false,
    xml: rest.xml ?? false,
    supportedTypes: rest.supportedTypes,
    arrayItemDelimiters: rest.arrayItemDelimiters,
    coercion: options.coercion ?? rest.coercion ?? 'strict',
    handleErrors: rest.handleErrors ?? true,
    handleUnknownPaths: rest.handleUnknownPaths ?? true,
    errorHandler: {
      ...errorHandler,
      errorDetails: options.errorDetails ?? rest.errorDetails ?? errorHandler?.errorDetails ?? 'array',
      errors: options.errors ?? rest.errors ?? errorHandler?.errors ?? 'coded'
    },
    body: {
      jsonLimit: bytesOf(json.limit ?? bodyLimit),
      formLimit: bytesOf(urlencoded.limit ?? bodyLimit),
      jsonDepth: options.jsonDepth ?? defaultJsonDepth,
      jsonTypes,
      parseFields: fieldsParser(limits)
    },
    limits,
    mediaTypes: [...jsonTypes, formType],
    totalCount: options.totalCount ?? rest.totalCount ?? false,
    explaining: explainingOf(options.explain ?? rest.explain ?? false),
    methodNotAllowed: options.methodNotAllowed ?? rest.methodNotAllowed ?? false,
    heartbeat: options.heartbeat ?? 15_000,
    forms: { ...rest.forms, ...options.forms },
    patches: {
      operations: options.patchOperations ?? rest.patchOperations ?? defaultPatchOperations,
      characters: bytesOf(json.limit ?? bodyLimit),
      depth: options.jsonDepth ?? defaultJsonDepth
    },
    lines: lineLimits({ ...rest.lines, ...options.lines }, {
      line: bytesOf(json.limit ?? bodyLimit), depth: options.jsonDepth ?? defaultJsonDepth
    }),
    responseBatching: holdingLimits(options.responseBatching ?? rest.responseBatching),
    streaming: options.streaming ?? rest.streaming ?? false,
    idempotency: options.idempotency ?? rest.idempotency ?? false,
    batch: batchLimits(options.batch ?? rest.batch ?? false),
    liveSocket: liveSocketLimits(options.liveSocket ?? rest.liveSocket ?? false),
    accessControl: options.accessControl ?? true,
    application: options.application as object | undefined,
    removedContext: isContextOn(remoting.context)
      ? 'remoting.context option was removed in version 3.0. Use a module of its own for the current context, with middleware in the phase "initial".'
      : undefined
  }
}

/** The role of those who administer an application, as the admin page's documentation names it. */
const administrators = 'admin'

/** Statements and plans are for who develops. */
const explainingOf = (setting: boolean | string): Explaining =>
  setting === false || process.env.NODE_ENV === 'production' ? undefined : setting === true ? administrators : setting

const holdingLimits = (together: ResponseBatching | undefined): HoldingLimits | undefined =>
  together === false ? undefined : { ...defaultHoldingLimits, ...together }

const isOn = (value: unknown): boolean => value !== undefined && value !== null && value !== false

/** Version 2 wrote the setting as an object with a switch. */
const isContextOn = (context: unknown): boolean =>
  isOn(context) && (context as { enableHttpContext?: unknown }).enableHttpContext !== false
