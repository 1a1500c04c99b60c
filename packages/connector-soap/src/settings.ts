/** The settings of a data source (SO-D1). Times are milliseconds. */
import path from 'node:path'
import { existsSync } from 'node:fs'
import { Type, type Static } from '@sinclair/typebox'
import { errors, type DataSourceSettings } from '@fastback/core'
import { optionsFault } from '@fastback/core/connector'
import { isAddress } from './wsdl/documents.js'

const text = Type.String()
const loose = Type.Record(text, Type.Unknown())
const texts = Type.Record(text, text)
const pem = Type.Union([text, Type.Uint8Array()])

const HeaderElement = Type.Object({
  /** Texts by the names of their elements. */
  element: loose,
  /** LoopBack's; prefixes are given where they are needed. */
  prefix: Type.Optional(text),
  namespace: Type.Optional(text)
}, { additionalProperties: false })
const Header = Type.Union([text, HeaderElement])

const Security = Type.Object({
  scheme: Type.Optional(text),
  username: Type.Optional(text),
  password: Type.Optional(text),
  passwordType: Type.Optional(Type.Union([Type.Literal('PasswordText'), Type.Literal('PasswordDigest')])),
  hasTimeStamp: Type.Optional(Type.Boolean()),
  mustUnderstand: Type.Optional(Type.Boolean()),
  token: Type.Optional(text),
  privatePEM: Type.Optional(pem),
  publicP12PEM: Type.Optional(pem),
  keyPath: Type.Optional(text),
  key: Type.Optional(pem),
  certPath: Type.Optional(text),
  cert: Type.Optional(pem),
  ca: Type.Optional(Type.Union([pem, Type.Array(pem)])),
  pfx: Type.Optional(pem),
  passphrase: Type.Optional(text)
}, { additionalProperties: false })

const Settings = Type.Object({
  /** Where the service is. Default: the address in the WSDL. */
  url: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** The same. */
  endpoint: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** File or address. Default: `<url>?wsdl`. */
  wsdl: Type.Optional(text),
  /** Settings of the client that gets the WSDL. */
  wsdl_options: Type.Optional(loose),
  wsdl_headers: Type.Optional(texts),
  /** Whether the methods are shared over REST. Default: false. */
  remotingEnabled: Type.Optional(Type.Boolean()),
  operations: Type.Optional(Type.Record(text, Type.Object({
    service: text,
    port: text,
    operation: Type.Optional(text)
  }, { additionalProperties: false }))),
  /** Whether only `operations` become methods. Default: false. */
  onlyMapped: Type.Optional(Type.Boolean()),
  security: Type.Optional(Security),
  username: Type.Optional(text),
  password: Type.Optional(text),
  /** In place of the actions of all operations. */
  soapAction: Type.Optional(text),
  soapHeaders: Type.Optional(Type.Union([Header, Type.Array(Header)])),
  httpHeaders: Type.Optional(texts),
  /** Settings of the client for every call. */
  requestOptions: Type.Optional(loose),
  forceSoapVersion: Type.Optional(Type.Union([Type.Literal('1.1'), Type.Literal('1.2')])),
  /** The prefix of envelopes. Default: `soap`. */
  envelopeKey: Type.Optional(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_.-]*$' })),
  /** For the WSDL. Default: 60,000. */
  connectionTimeout: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Starts without the WSDL where it cannot be had. Default: false. */
  lazyConnect: Type.Optional(Type.Boolean()),
  /** How whole numbers that may pass 2^53 are given. Default: `number`. */
  longs: Type.Optional(Type.Union([Type.Literal('number'), Type.Literal('text')]))
})

export type SoapSettings = Static<typeof Settings>
export type SecuritySettings = Static<typeof Security>
export type SoapHeader = Static<typeof Header>
export type MappedOperation = NonNullable<SoapSettings['operations']>[string]

/** LoopBack's settings that say nothing here. */
export const withoutEffect = ['ignoredNamespaces', 'prettyPrint'] as const

/** What none of the settings says is left out, as LoopBack's generator writes it. */
const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** @throws FBK_CORE_DATA_SOURCE_SETTINGS naming the setting */
export function readSettings (written: DataSourceSettings, dataSource: string): SoapSettings {
  const settings = Object.fromEntries(Object.entries(written).filter(([, value]) => isSaid(value)))
  const refuse = (what: string): never => { throw new errors.DataSourceSettingsError(dataSource, what) }
  if ('NTLMSecurity' in settings) {
    refuse('"NTLMSecurity" is not offered: NTLM needs MD4 and RC4, which no current TLS library has. Use another scheme in "security".')
  }
  const fault = optionsFault(Settings, settings, 'setting')
  if (fault !== undefined) refuse(fault)
  const read = settings as SoapSettings
  if ((read.wsdl ?? read.url ?? read.endpoint) === undefined) refuse('the setting "wsdl" or "url" is needed.')
  return read
}

/** Where the service is, as the settings say it. */
export const addressOf = ({ url, endpoint }: SoapSettings): string | undefined => url ?? endpoint

/** Where the WSDL is: an address, or an absolute file: below the working directory, else below `baseDir` (SO-D1). */
export function wsdlLocation (settings: SoapSettings, baseDir: string): string {
  const { wsdl } = settings
  if (wsdl === undefined) return `${addressOf(settings) as string}?wsdl`
  if (isAddress(wsdl)) return wsdl
  const file = path.resolve(wsdl)
  return existsSync(file) ? file : path.resolve(baseDir, wsdl)
}
