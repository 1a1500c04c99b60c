/** The settings of a REST data source (service-connectors.md, section 1). */
import { Type, type Static } from '@sinclair/typebox'
import { errors, type DataSourceSettings } from '@fastback/core'
import { optionsFault } from '@fastback/core/connector'
import { withoutEndSlashes } from '@fastback/core/remote'
import { readClientSettings, type ServiceClientSettings } from '@fastback/service-client'
import { OperationError, RefusedSettingError } from './errors.js'

const Settings = Type.Object({
  baseURL: Type.Optional(Type.String({ pattern: '^https?://' })),
  crud: Type.Optional(Type.Boolean()),
  operations: Type.Optional(Type.Array(Type.Unknown())),
  filterStyle: Type.Optional(Type.Union([Type.Literal('qs'), Type.Literal('json')])),
  patch: Type.Optional(Type.Boolean()),
  allowDeleteAll: Type.Optional(Type.Boolean()),
  allowAttachments: Type.Optional(Type.Boolean()),
  attachmentsRoot: Type.Optional(Type.String({ minLength: 1 })),
  exposeErrors: Type.Optional(Type.Boolean()),
  credentialErrors: Type.Optional(Type.Union([Type.Literal('pass'), Type.Literal('gateway')])),
  headers: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
})
type Checked = Static<typeof Settings>

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'] as const

const Operation = Type.Object({
  template: Type.Object({
    method: Type.Optional(Type.Union(methods.map(method => Type.Literal(method)))),
    url: Type.String(),
    query: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    headers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    body: Type.Optional(Type.Unknown()),
    form: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    attachments: Type.Optional(Type.Array(Type.Object({ field: Type.String(), path: Type.String() }))),
    json: Type.Optional(Type.Boolean()),
    options: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    timeout: Type.Optional(Type.Integer({ minimum: 0 })),
    responsePath: Type.Optional(Type.String()),
    fullResponse: Type.Optional(Type.Boolean()),
    variables: Type.Optional(Type.Record(Type.String(), Type.Object({
      type: Type.Optional(Type.String()),
      required: Type.Optional(Type.Boolean()),
      default: Type.Optional(Type.Unknown())
    })))
  }),
  functions: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Union([
    Type.String(), Type.Object({ name: Type.String(), source: Type.Optional(Type.String()) })
  ])))),
  stream: Type.Optional(Type.Boolean()),
  idempotent: Type.Optional(Type.Boolean())
})
export type OperationSettings = Static<typeof Operation>

/** Settings with what they stand for where nothing is said. */
export interface RestSettings extends Omit<Checked, 'operations'> {
  readonly baseURL: string
  readonly hasCrud: boolean
  readonly operations: readonly OperationSettings[]
  /** Of the client, and of every request. */
  readonly client: ServiceClientSettings
  readonly request: RequestSettings
}

/** What settings and templates say of single requests (SC-D6). */
export interface RequestSettings {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

const refused: Readonly<Record<string, string>> = {
  oauth: 'Sign requests in an observer of "before execute".',
  aws: 'Sign requests in an observer of "before execute".',
  hawk: 'Sign requests in an observer of "before execute".',
  httpSignature: 'Sign requests in an observer of "before execute".',
  har: 'Write the request as a template.',
  jar: 'Send the header "cookie".',
  multipart: 'Use "form" or "body".',
  postambleCRLF: 'Use "form" or "body".'
}

/** What a template may change for its own requests. */
const ofRequests = [
  'headers', 'timeout', 'auth', 'followRedirect', 'followAllRedirects', 'maxRedirects', 'gzip', 'qs', 'useQuerystring',
  'qsStringifyOptions', 'json', 'form', 'encoding'
] as const

/**
 * Reads settings: `defaults`, overlaid by the other keys, overlaid by `options` (SC-D2).
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS, FBK_REST_CONNECTOR_REFUSED_SETTING, FBK_BOOT_INVALID_CONFIG
 */
export function readSettings (written: DataSourceSettings, dataSource: string): RestSettings {
  const { defaults, options, ...top } = written as Record<string, unknown>
  const merged = merge(merge(asObject(defaults), top), asObject(options))
  refuse(merged, dataSource)
  const own = { ...merged, baseURL: merged.baseURL ?? merged.restPath }
  const given = Object.fromEntries(Object.entries(own).filter(([key, value]) =>
    key in Settings.properties && value !== undefined && value !== null && value !== ''))
  const fault = optionsFault(Settings, given, 'setting')
  if (fault !== undefined) throw new errors.DataSourceSettingsError(dataSource, fault)
  const checked = given as Checked
  const operations = (checked.operations ?? []).map((operation, i) => readOperation(operation, i, dataSource))
  if (operations.some(({ template }) => template.attachments !== undefined) &&
    (checked.allowAttachments !== true || checked.attachmentsRoot === undefined)) {
    throw new RefusedSettingError(
      dataSource, 'attachments', 'Say "allowAttachments": true, and in "attachmentsRoot" which folder the files are in.'
    )
  }
  return {
    ...checked,
    baseURL: withoutEndSlashes(checked.baseURL ?? 'http://localhost:3000'),
    hasCrud: checked.crud ?? checked.operations === undefined,
    operations,
    client: readClientSettings(clientSettings(merged), dataSource),
    request: Object.fromEntries(ofRequests.filter(key => key in merged).map(key => [key, merged[key]]))
  }
}

function readOperation (given: unknown, index: number, dataSource: string): OperationSettings {
  const { template } = asObject(given)
  const method = asObject(template).method
  const read = typeof method === 'string'
    ? { ...asObject(given), template: { ...asObject(template), method: method.toUpperCase() } }
    : given
  const fault = optionsFault(Operation, read, 'key')
  if (fault !== undefined) throw new OperationError(dataSource, String(index + 1), fault)
  const operation = read as OperationSettings
  refuse({ ...operation.template, ...operation.template.options }, dataSource)
  return operation
}

/** @throws FBK_REST_CONNECTOR_REFUSED_SETTING */
function refuse (settings: Readonly<Record<string, unknown>>, dataSource: string): void {
  for (const [name, instead] of Object.entries(refused)) {
    if (settings[name] === undefined || settings[name] === null || settings[name] === false) continue
    throw new RefusedSettingError(dataSource, name, instead)
  }
}

/**
 * Settings of the client, from the names that LoopBack's connector has for them (SC-D2, SC-D6).
 *
 * ```js
 * clientSettings({ clientCert: pem, forever: false }) // { cert: pem, keepAlive: 0 }
 * ```
 */
export function clientSettings (settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { clientCert, clientKey, agentOptions, forever, ...rest } = settings
  const { maxSockets, keepAlive, ...tls } = asObject(agentOptions)
  const hasSockets = typeof maxSockets === 'number' && Number.isFinite(maxSockets)
  return {
    ...tls,
    ...(clientCert === undefined ? {} : { cert: clientCert }),
    ...(clientKey === undefined ? {} : { key: clientKey }),
    ...(hasSockets ? { maxConnections: maxSockets } : {}),
    ...(keepAlive === false || forever === false ? { keepAlive: 0 } : {}),
    ...rest
  }
}

/** Settings of connections: a template that has one needs connections of its own. */
export const ofConnections: ReadonlySet<string> = new Set([
  'strictSSL', 'rejectUnauthorized', 'ca', 'cert', 'key', 'clientCert', 'clientKey', 'passphrase', 'pfx', 'proxy',
  'tunnel', 'forever', 'agentOptions'
])

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : {}

/** The second over the first, objects within them alike. */
export function merge (
  under: Readonly<Record<string, unknown>>, over: Readonly<Record<string, unknown>>
): Record<string, unknown> {
  const result = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const below = result[key]
    result[key] = isPlain(below) && isPlain(value) ? merge(below, value) : value
  }
  return result
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
