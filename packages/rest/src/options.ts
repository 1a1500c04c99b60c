/** The options of the plugin, checked and completed. */
import type { ModelClass } from '@fastback/core'
import { checkOptions } from '@fastback/core/remote'
import { batchLimits } from './batch/settings.js'
import { InvalidOptionsError, RemovedSettingError } from './errors/startup-errors.js'
import type { Explaining } from './handlers/explained-list.js'
import { lineLimits } from './lines/settings.js'
import { liveSocketLimits } from './live/settings.js'
import {
  eitherWayNames, RestSchema, type EitherWayOptions, type RemotingSettings, type RestOptions
} from './options-schema.js'
import { formType } from './parse/body-parser.js'
import { defaultJsonDepth } from './parse/json.js'
import { defaultTextLimits, fieldsParser } from './parse/query.js'
import { bytesOf } from './parse/size.js'
import { defaultHoldingLimits, type HoldingLimits, type ResponseBatching } from './responses/response-batch.js'
import type { Settings } from './settings.js'

const defaultPatchOperations = 100

/** LoopBack's. */
const defaultBodyLimit = '100kb'

/**
 * @throws FBK_REST_INVALID_OPTIONS naming the path of what is wrong, FBK_REST_REMOVED_SETTING for `remoting.cors`
 */
export function readOptions (given: RestOptions): Settings {
  const options = checkOptions(RestSchema, given, InvalidOptionsError)
  const { remoting = {}, bodyLimit = defaultBodyLimit, jsonDepth = defaultJsonDepth } = options
  const { rest = {}, json = {}, urlencoded = {} } = remoting
  if (isOn(remoting.cors)) {
    throw new RemovedSettingError(
      'remoting.cors option was removed in version 3.0: register a CORS plugin or middleware instead and set it to false.'
    )
  }
  const said = eitherOf(options, rest)
  const errorHandler = remoting.errorHandler === false ? {} : remoting.errorHandler
  const limits = { ...defaultTextLimits, ...rest.limits, ...options.limits }
  const jsonLimit = bytesOf(json.limit ?? bodyLimit)
  const jsonTypes = jsonTypesOf(json)
  return {
    models: options.models ?? {},
    ofApplication: options.ofApplication as ModelClass[] | undefined,
    sharedMethods: remoting.sharedMethods,
    normalizeHttpPath: rest.normalizeHttpPath ?? false,
    xml: rest.xml ?? false,
    supportedTypes: rest.supportedTypes,
    arrayItemDelimiters: rest.arrayItemDelimiters,
    coercion: said.coercion ?? 'strict',
    handleErrors: rest.handleErrors ?? true,
    handleUnknownPaths: rest.handleUnknownPaths ?? true,
    errorHandler: {
      ...errorHandler,
      errorDetails: said.errorDetails ?? errorHandler?.errorDetails ?? 'array',
      errors: said.errors ?? errorHandler?.errors ?? 'coded'
    },
    body: {
      jsonLimit,
      formLimit: bytesOf(urlencoded.limit ?? bodyLimit),
      jsonDepth,
      jsonTypes,
      parseFields: fieldsParser(limits)
    },
    limits,
    mediaTypes: [...jsonTypes, formType],
    totalCount: said.totalCount ?? false,
    explaining: explainingOf(said.explain ?? false),
    methodNotAllowed: said.methodNotAllowed ?? false,
    heartbeat: options.heartbeat ?? 15_000,
    forms: { ...rest.forms, ...options.forms },
    patches: {
      operations: said.patchOperations ?? defaultPatchOperations, characters: jsonLimit, depth: jsonDepth
    },
    lines: lineLimits({ ...rest.lines, ...options.lines }, { line: jsonLimit, depth: jsonDepth }),
    responseBatching: holdingLimits(said.responseBatching),
    streaming: said.streaming ?? false,
    idempotency: said.idempotency ?? false,
    batch: batchLimits(said.batch ?? false),
    liveSocket: liveSocketLimits(said.liveSocket ?? false),
    accessControl: options.accessControl ?? true,
    application: options.application as object | undefined,
    removedContext: isContextOn(remoting.context)
      ? 'remoting.context option was removed in version 3.0. Use a module of its own for the current context, with middleware in the phase "initial".'
      : undefined
  }
}

/** What counts of the two. Of limits, single ones may come from either: these are put together where they are read. */
const eitherOf = (options: EitherWayOptions, rest: EitherWayOptions): EitherWayOptions =>
  Object.fromEntries(eitherWayNames.map(name => [name, options[name] ?? rest[name]]))

const jsonTypesOf = ({ type = [] }: NonNullable<RemotingSettings['json']>): string[] => [
  ...new Set(['application/json', ...[type].flat().filter(each => each.includes('/') && !each.includes('*'))])
]

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
