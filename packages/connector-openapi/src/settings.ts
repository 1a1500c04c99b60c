/** The settings of a data source (service-connectors.md, section 9). */
import path from 'node:path'
import { existsSync } from 'node:fs'
import { Type, type Static } from '@sinclair/typebox'
import { errors, type DataSourceSettings } from '@fastback/core'
import { optionsFault } from '@fastback/core/connector'
import { isAddress } from './document.js'

const credentials = Type.Record(Type.String(), Type.Unknown())

const Settings = Type.Object({
  /** File or address of the description, or the description. */
  spec: Type.Union([Type.String({ minLength: 1 }), Type.Record(Type.String(), Type.Unknown())]),
  /** Where the service is, in place of what `servers` says. */
  url: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** The same. */
  baseURL: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** By the names of security schemes: a token or key, or `{ username, password }`. */
  credentials: Type.Optional(credentials),
  /** LoopBack 4's name of the same. */
  authorizations: Type.Optional(credentials),
  /** Whether functions take their arguments one after the other, not by name. Default: false. */
  positional: Type.Optional(Type.Boolean()),
  /** Whether arguments are checked against their schemas. Default: true. */
  validate: Type.Optional(Type.Boolean()),
  /** Whether answers are. Default: false. */
  validateResponses: Type.Optional(Type.Boolean()),
  exposeErrors: Type.Optional(Type.Boolean()),
  credentialErrors: Type.Optional(Type.Union([Type.Literal('pass'), Type.Literal('gateway')])),
  /** Headers of every call. */
  headers: Type.Optional(Type.Record(Type.String(), Type.String()))
})
export type OpenApiSettings = Static<typeof Settings>

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** @throws FBK_CORE_DATA_SOURCE_SETTINGS naming the setting */
export function readSettings (written: DataSourceSettings, dataSource: string): OpenApiSettings {
  const settings = Object.fromEntries(Object.entries(written).filter(([, value]) => isSaid(value)))
  const fault = optionsFault(Settings, settings, 'setting')
  if (fault !== undefined) throw new errors.DataSourceSettingsError(dataSource, fault)
  return settings as OpenApiSettings
}

/** Where the description is: an address, or an absolute file, below the working directory, else below `baseDir`. */
export function locationOf (spec: string, baseDir: string): string {
  if (isAddress(spec)) return spec
  const file = path.resolve(spec)
  return existsSync(file) ? file : path.resolve(baseDir, spec)
}
