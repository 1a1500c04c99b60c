/**
 * Errors of the core. Two families:
 * - start-up errors (`FBK_CORE_…`): a definition, setting or call is wrong, the message
 *   names file, model and key;
 * - request errors (`RequestError` and its kin): they carry the status, name and code that LoopBack clients know, and
 *   are safe to show.
 */
import createError from '@fastify/error'
import { startUpErrors } from './contracts/start-up-errors.js'
import type { Row } from './properties/types.js'
import { describeValue, type Secretive } from './validations/describe-value.js'
import { memberPath } from './properties/path.js'
import { errorCodeOf, messageOfViolations, propertyOf, type FoundViolation, type Violation } from './violation.js'

export type { FoundViolation, Violation } from './violation.js'

const startup = startUpErrors('CORE')

export const UnknownModelError = startup('UNKNOWN_MODEL', 'There is no model named "%s".%s')
/** `registry.as` without a package that knows rules of access. */
export const NoRulesError = startup('NO_RULES', 'There are no rules of access that "as" could obey: register @fastback/acl.')
/** A model extends one that is not defined. */
export const UnknownBaseError = startup('UNKNOWN_BASE', 'Model "%s"%s extends "%s", which is not defined.%s')
export const DuplicateModelError = startup('DUPLICATE_MODEL', 'Model "%s" is defined twice.')
/** A definition or an option is invalid; the message names file, model and key. */
export const InvalidDefinitionError = startup('INVALID_DEFINITION', '%s: %s')
/** A model uses a mixin that is not defined. */
export const UndefinedMixinError = startup(
  'UNDEFINED_MIXIN',
  'Model "%s"%s uses the mixin "%s", which is not defined.%s Make its source available (model-config.json, _meta.mixins) or remove it from the model.'
)
export const UnknownConnectorError = startup(
  'UNKNOWN_CONNECTOR',
  'Data source "%s" names the connector "%s", which is not known.%s'
)
export const UnknownDataSourceError = startup('UNKNOWN_DATA_SOURCE', 'There is no data source named "%s".%s')
/** A data source has a setting that its connector cannot use. */
export const DataSourceSettingsError = startup('DATA_SOURCE_SETTINGS', 'Data source "%s": %s')
/** The setting `bus` is invalid. */
export const BusSettingsError = startup('BUS_SETTINGS', 'The setting "bus": %s')
export const UnknownBusDriverError = startup('UNKNOWN_BUS_DRIVER', 'The setting "bus" names the driver "%s", which is not known.%s')
export const BusPayloadError = startup('BUS_PAYLOAD', 'A message of the topic "%s" is longer than the bus carries.')
/** Sealed properties have no keys, or keys that are none. The message tells no key. */
export const SealingKeysError = startup('SEALING_KEYS', 'The setting "sealing": %s.')
export const NotAttachedError = startup(
  'NOT_ATTACHED',
  'Model "%s" is not attached to a data source, so "%s" cannot be called. Name one in model-config.json or call registry.attach().'
)
export const RegistryClosedError = startup('REGISTRY_CLOSED', 'The registry is closed: "%s" is no longer possible.')
/** An option of `@fastback/core` contradicts the option `registry`. */
export const RegistryConflictError = startup<[option: string, what: string]>(
  'REGISTRY_CONFLICT',
  'The option "%s" of @fastback/core contradicts the registry that it is given: %s. Say it to one of the two.'
)
export const AlreadyRegisteredError = startup(
  'ALREADY_REGISTERED',
  'A model registry is already registered in this Fastify context. Register @fastback/core once per encapsulated context.'
)
export const NoKeyValueError = startup(
  'NO_KEY_VALUE',
  'Data source "%s" (connector "%s") does not keep values by key, which model "%s" needs. Use "kv-memory" or "kv-redis".'
)
/** The connector cannot list the tables of its store (discovery.md, DI-10). */
export const NoDiscoveryError = createError(
  'FBK_DISCOVERY_UNSUPPORTED', 'Data source "%s": the connector "%s" discovers no tables; it has no "%s".'
)
/** The requested table does not exist. The message is LoopBack's. */
export const NoTableError = startup('NO_TABLE', "Table '%s' does not exist.")
/** Discovery was called for a table without its name. The message is LoopBack's. */
export const NoTableNameError = startup('NO_TABLE_NAME', 'table is a required string argument: %s')
/** A property cannot have this name (discovery.md, IN-6). */
export const UnsafeNameError = createError('FBK_UNSAFE_NAME', 'The name "%s" cannot be a property: objects have it for themselves.', 400)
/** An example is nested too deeply for a model to be made from it (discovery.md, IN-10). */
export const TooDeepError = startup('TOO_DEEP', 'The example is nested deeper than %s levels.')
/** `transaction()` was called on a transaction. */
export const NestedTransactionError = startup(
  'NESTED_TRANSACTION', 'Nesting transactions is not supported'
)
/** The option `transaction` belongs to another data source. */
export const ForeignTransactionError = startup(
  'FOREIGN_TRANSACTION', 'Model "%s": the transaction is that of another data source.'
)
/** A transaction was requested from a store that has none. */
export const NoTransactionsError = startup(
  'NO_TRANSACTIONS', 'Data source "%s": the connector "%s" has no transactions, so that nothing of the work could be taken back.'
)
/** A model with `version` is attached to a store that keeps no versions. */
export const NoVersionsError = startup(
  'NO_VERSIONS', 'Data source "%s": the connector "%s" does not count the writes of rows, which "version" of model "%s" needs. Take the setting away, or keep the rows in another store.'
)
/** A relation with `nestedWrite` leads to rows that cannot be written together with those of its model. */
export const NestedWriteError = startup(
  'NESTED_WRITE', 'Model "%s", relation "%s": "nestedWrite" %s.'
)
/** A part of a transaction needs a rollback of its own, which the store does not support. */
export const NoSavepointsError = startup('NO_SAVEPOINTS', 'The connector "%s" has no savepoints within transactions.')
/** A part of a transaction was begun, or the transaction committed, while another part is open: wait for that part. */
export const SavepointOpenError = startup<[]>(
  'SAVEPOINT_OPEN', 'Another part of the transaction is open. Wait for its end.'
)
/** A setting of the application is invalid. */
export const InvalidSettingError = startup('INVALID_SETTING', 'The setting "%s" %s.')
/** A text is neither an address nor a network. */
export const InvalidNetworkError = startup('INVALID_NETWORK',
  '"%s" is no address and no network; write "10.1.2.3", "10.1.0.0/16" or "fd00::/8".')
/**
 * A third party named an address to which this server sends no requests. Not for the wire: the message reveals what is
 * next to the server.
 */
export const ForbiddenAddressError = startup('FORBIDDEN_ADDRESS',
  '"%s" does not lead to an address of the public internet, and to none that the application allows.')
/** A table cannot be migrated to its model; the message says why. */
export const MigrationError = startup('MIGRATION', 'Data source "%s", model "%s": %s')

/** An error that a client may see. `name`, `statusCode`, `code` and `details` go over the wire as they are. */
export class RequestError extends Error {
  readonly statusCode: number
  code?: string
  details?: unknown
  constructor (statusCode: number, message: string, extra: { code?: string, name?: string, details?: unknown } = {}) {
    super(message)
    this.statusCode = statusCode
    if (extra.code !== undefined) this.code = extra.code
    if (extra.details !== undefined) this.details = extra.details
    Object.defineProperty(this, 'name', { value: extra.name ?? 'Error', configurable: true, writable: true })
  }
}

/** 409: a transaction that was committed or rolled back. */
export const transactionInactive = (id: string): RequestError =>
  new RequestError(409, `The transaction is not active: ${id}`, { code: 'TRANSACTION_INACTIVE' })
/** 503: a transaction took longer than it said. */
export const transactionTimeout = (): RequestError =>
  new RequestError(503, 'Transaction is rolled back due to timeout', { code: 'TRANSACTION_TIMEOUT' })
/** 404 MODEL_NOT_FOUND; `message` differs between operations, as LoopBack has it. */
export const modelNotFound = (message: string): RequestError =>
  new RequestError(404, message, { code: 'MODEL_NOT_FOUND' })
/** 404 of a read by id. */
export const unknownId = (modelName: string, id: unknown): RequestError =>
  modelNotFound(`Unknown "${modelName}" id "${String(id)}".`)
/** 404 of an instance method whose instance is not there. */
export const noInstance = (id: unknown): RequestError => modelNotFound(`could not find a model with id ${String(id)}`)
/** 404 of a key-value model. */
export const keyNotFound = (message: string): RequestError => new RequestError(404, message, { code: 'KEY_NOT_FOUND' })
/**
 * 400 of the data layer without a code (a limit, an order, a where clause that cannot be).
 *
 * ```js
 * throw badQuery('The limit -1 is no whole number')
 * ```
 */
export const badQuery = (message: string, code?: string, details?: unknown): RequestError =>
  new RequestError(400, message, { ...(code === undefined ? {} : { code }), details })
/** 400: a limit of security.md S-23 was passed; the message names it. */
export const limitExceeded = (what: string, limit: number): RequestError =>
  new RequestError(400, `The query has ${what}; the limit is ${limit}.`, {
    code: 'QUERY_LIMIT_EXCEEDED',
    details: { limit }
  })
const advice = {
  work: [
    'takes more work than one request may ask for',
    'Ask for fewer or simpler patterns, or add a condition that leaves fewer rows to look at'
  ],
  rows: [
    'has more rows than one response may have, included ones counted',
    'Ask for pages, with "limit", and limit what is included as well'
  ],
  bytes: ['is larger than one response may be', 'Ask for pages, with "limit", or for less of each row, with "fields"'],
  returns: [
    'includes a relation back and forth over the same keys',
    'Lead back over the inverse of a relation once at most'
  ],
  program: ['has patterns that are too large together', 'Ask for fewer or simpler patterns']
} as const
/**
 * 400: the budget of the request (`queryLimits`) is used up (security.md, S-74 and S-75). `limit` names the setting,
 * `most` is its value.
 *
 * ```js
 * if (groups > most) throw queryTooExpensive('rows', work.rows)
 * ```
 */
export function queryTooExpensive (limit: keyof typeof advice, most: number): RequestError {
  const [what, how] = advice[limit]
  return new RequestError(400, `The query ${what} (limit "${limit}": ${most}). ${how}.`, {
    code: 'QUERY_TOO_EXPENSIVE',
    details: { limit, most }
  })
}
/**
 * 400: the values that a query sorts by, of the rows that it skips as well, are more than one request may hold
 * (security.md, S-197).
 *
 * ```js
 * if (held > work.bytes) throw skipTooExpensive(work.bytes)
 * ```
 */
export const skipTooExpensive = (most: number): RequestError =>
  new RequestError(400, `The query skips more sorted rows than one request may hold (limit "bytes": ${most}). Go on behind the last row with a cursor ("after") in place of "skip", order by a shorter property, or give the model an index of the order.`, {
    code: 'QUERY_TOO_EXPENSIVE', details: { limit: 'bytes', most }
  })
/** 400: a live query has, or asks for, more rows than it may. */
export const liveQueryTooLarge = (most: number): RequestError =>
  new RequestError(400, `A live query has at most ${most} rows, with those that "skip" leaves out. Give it a "limit", or a narrower condition.`, {
    code: 'LIVE_QUERY_TOO_LARGE', details: { most }
  })
/** 429: live queries have as many characters at this process as they may have, or those of one client their share. */
export const liveRowsTooLarge = (): RequestError =>
  new RequestError(429, 'Live queries have too many rows in memory already. Come back later, or ask for fewer rows and properties.', {
    code: 'TOO_MANY_LIVE_QUERIES'
  })
/** 429: as many live queries of a model are open at this process as may be. */
export const tooManyLiveQueries = (most: number): RequestError =>
  new RequestError(429, `There are ${most} live queries of this model already. Come back later.`, {
    code: 'TOO_MANY_LIVE_QUERIES'
  })
/** 499: nobody waits for the response any more, so that it is not finished. */
export const clientClosedRequest = (): RequestError => new RequestError(499, 'The client has gone.', { code: 'CLIENT_GONE' })
/** 400 HIDDEN_PROPERTY_IN_QUERY (security.md, S-11). */
export const hiddenInQuery = (modelName: string, where: string): RequestError =>
  new RequestError(400, `The ${where} names a property of "${modelName}" that may not be used in queries.`, {
    code: 'HIDDEN_PROPERTY_IN_QUERY'
  })
/** 400 SEALED_PROPERTY_IN_QUERY: a condition, an order or a group looks at values that are encrypted at rest. */
export const sealedInQuery = (modelName: string, property: string, where: string): RequestError =>
  new RequestError(
    400,
    `The ${where} names "${property}" of "${modelName}", which is sealed: only "searchable" ones can be compared, with eq, neq, inq and nin.`,
    { code: 'SEALED_PROPERTY_IN_QUERY' }
  )
/**
 * 409: the id is taken.
 *
 * ```js
 * if (rows.has(id)) throw duplicateId(model.name, id)
 * ```
 */
export const duplicateId = (modelName: string, id: unknown): RequestError =>
  new RequestError(409, `Duplicate entry for ${modelName}.id`, { code: 'DUPLICATE_ID', details: { id } })

/**
 * 409: rows of another model lead to a row that is to be deleted, and their relation says `restrict`.
 *
 * ```js
 * throw stillReferredTo('Customer', 'Order')
 * ```
 */
export const stillReferredTo = (modelName: string, by: string): RequestError =>
  new RequestError(409, `The row of ${modelName} is referred to by rows of ${by}.`, { code: 'FOREIGN_KEY', details: { by } })

/**
 * A unique index of the store refused a row. Operations turn it into a `ValidationError` with code `uniqueness`
 * (security.md, S-42).
 */
export class UniqueIndexError extends Error {
  constructor (readonly modelName: string, readonly properties: readonly string[]) {
    super(`A row with the same ${properties.join(', ')} exists already in ${modelName}.`)
  }
}

/** An instance after `isValid`, or an object like one. */
interface InvalidInstance {
  readonly constructor: { readonly modelName?: string, readonly compiled?: Secretive }
  readonly errors?: unknown
  toJSON? (): unknown
}

const nothingHidden: Secretive = { hidden: new Set(), protectedNames: new Set() }

/** The values of what was found invalid: an object that is no instance says by `toJSON` what they are. */
const dataOf = (given: InvalidInstance): Row =>
  (given.constructor.compiled === undefined ? given.toJSON?.() ?? given : given) as Row

function violationsOn ({ errors }: InvalidInstance): FoundViolation[] {
  if (errors === null || typeof errors !== 'object') return []
  const { codes = {} } = errors as { codes?: Record<string, string[]> }
  return Object.entries(errors as Record<string, string[]>).flatMap(([property, messages]) =>
    messages.map((message, i) => ({
      path: memberPath(property), code: codes[property]?.[i] ?? 'invalid', message, info: {}
    })))
}

/** What a client is told of data that breaks rules, whoever found it: the schema of a body, or the model. */
export interface RefusedData {
  readonly name: string
  readonly code: string
  readonly message: string
  readonly details: readonly Violation[]
}

/**
 * Entries of `details` in one response, whoever found them. A hostile list of many invalid items must not make a
 * response many times its size (security.md, S-106).
 */
export const maxViolations = 1000

function refused (found: readonly Violation[]): RefusedData {
  const violations = found.length > maxViolations ? found.slice(0, maxViolations) : found
  const code = errorCodeOf(found)
  return {
    name: 'UnprocessableEntityError',
    code: 'VALIDATION_FAILED',
    message: messageOfViolations(violations),
    details: violations,
    ...code === undefined ? {} : { code }
  }
}

/**
 * 422 VALIDATION_FAILED: data that breaks the rules of a schema. Clients are told the same of a `ValidationError`.
 *
 * ```js
 * throw invalidData([{ path: '.stars', code: 'type', message: 'must be a whole number', info: { type: 'integer' } }])
 * ```
 */
export function invalidData (violations: readonly Violation[]): RequestError {
  const { message, ...extra } = refused(violations)
  return new RequestError(422, message, extra)
}

/**
 * 422: the row breaks the model's rules, all of them at once. Code in the process reads LoopBack 3's name, message and
 * `details`; what goes over the wire (specification, Errors) is `told()`, with `violations` as its details.
 */
export class ValidationError extends RequestError {
  readonly violations: readonly Violation[]
  declare details: { context: string; codes: Record<string, string[]>; messages: Record<string, string[]> }
  readonly #found: readonly FoundViolation[]
  readonly #made: { readonly name: string, readonly message: string }
  /**
   * @param model name of the model, or, with nothing else, an instance that was found invalid (`new
   * ValidationError(note)`, as LoopBack code makes it)
   * @param all what is wrong; the first 1,000 are told
   * @param describe tells the value of a property, for the message
   */
  constructor (
    model: string | InvalidInstance,
    all: readonly FoundViolation[] = typeof model === 'string' ? [] : violationsOn(model),
    describe: (property: string) => string = property => typeof model === 'string'
      ? ''
      : describeValue(model.constructor.compiled ?? nothingHidden, property, dataOf(model))
  ) {
    const modelName = typeof model === 'string' ? model : model.constructor.modelName ?? 'unknown'
    const found = all.length > maxViolations ? all.slice(0, maxViolations) : all
    const messageOf = ({ message, inProcess }: FoundViolation): string => inProcess?.message ?? message
    const heard = heardOnce(found)
    const problems = heard.map(each => {
      const property = propertyOf(each)
      return property === '' ? messageOf(each) : `\`${property}\` ${messageOf(each)}${describe(property)}`
    })
    super(422, `The \`${modelName}\` instance is not valid. Details: ${problems.join('; ')}.`, {
      name: 'ValidationError'
    })
    this.#found = found
    this.#made = { name: this.name, message: this.message }
    this.violations = found.map(({ path, code, message, info }) => ({ path, code, message, info }))
    const code = errorCodeOf(found)
    if (code !== undefined) this.code = code
    this.details = {
      context: modelName,
      codes: byProperty(heard, ({ code, inProcess }) => inProcess?.code ?? code),
      messages: byProperty(heard, messageOf)
    }
  }

  /** The violations, with what code in the process reads of them: for an error of a larger whole. */
  get found (): readonly FoundViolation[] {
    return this.#found
  }

  /** What clients are told. A name, message or code that the application has set stays. */
  told (): RefusedData {
    const { name, message, code, ...rest } = refused(this.violations)
    return {
      name: this.name === this.#made.name ? name : this.name,
      message: this.message === this.#made.message ? message : this.message,
      code: this.code ?? code,
      ...rest
    }
  }
}

/** Violations as code in the process reads them: several can be one entry there. */
function heardOnce (found: readonly FoundViolation[]): readonly FoundViolation[] {
  const entries = new Set<unknown>()
  return found.filter(({ inProcess }) => {
    if (inProcess === undefined) return true
    const isNew = !entries.has(inProcess)
    entries.add(inProcess)
    return isNew
  })
}

/**
 * Properties may be called `constructor` or `__proto__`: their names are no keys of an object before they are its own.
 */
function byProperty (
  found: readonly FoundViolation[],
  textOf: (violation: FoundViolation) => string
): Record<string, string[]> {
  const texts = new Map<string, string[]>()
  for (const violation of found) {
    const name = propertyOf(violation)
    const known = texts.get(name)
    if (known === undefined) texts.set(name, [textOf(violation)])
    else known.push(textOf(violation))
  }
  return Object.fromEntries(texts)
}
