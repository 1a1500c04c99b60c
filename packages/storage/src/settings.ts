import path from 'node:path'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { errors, type DataSourceSettings } from '@fastback/core'
import { optionsFault } from '@fastback/core/connector'
import type { StorageDriver } from './driver.js'
import type { StorageRequest, StorageResponse } from './http.js'

const bytes = Type.Integer({ minimum: 0 })
const count = Type.Integer({ minimum: 1 })

/** A file on its way in, as the functions of an application see it. */
export interface IncomingFile {
  readonly container: string
  readonly name: string
  readonly type: string
  readonly field: string
  readonly originalFilename?: string
}

/** A function of the application that says something for each upload. */
export type PerUploadFunction<T> =
  (file: IncomingFile, req: StorageRequest, res: StorageResponse | undefined) => T | Promise<T>

/** A value, or a function of the application that gives it for each upload. */
export type PerUpload<T> = T | PerUploadFunction<T>

const perUpload = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.Function([], Type.Unknown())])

/** Settings that hold for every provider; those of providers stand beside them. */
const Common = Type.Object({
  provider: Type.Optional(Type.Unknown()),
  nameConflict: Type.Optional(Type.Union([Type.Literal('makeUnique'), Type.Literal('')])),
  getFilename: Type.Optional(Type.Function([], Type.Unknown())),
  allowedContentTypes: Type.Optional(perUpload(Type.Array(Type.String()))),
  maxFileSize: Type.Optional(perUpload(bytes)),
  acl: Type.Optional(perUpload(Type.String())),
  maxFieldsSize: Type.Optional(bytes),
  maxFiles: Type.Optional(count),
  maxFields: Type.Optional(count),
  maxFieldNameSize: Type.Optional(count),
  maxTotalSize: Type.Optional(count),
  uploadTimeout: Type.Optional(count),
  downloadTimeout: Type.Optional(count),
  maxConcurrentUploads: Type.Optional(count),
  maxUploadsPerClient: Type.Optional(count),
  maxList: Type.Optional(count),
  sniff: Type.Optional(Type.Boolean()),
  disposition: Type.Optional(Type.Union([Type.Literal('auto'), Type.Literal('attachment'), Type.Literal('inline')])),
  createContainers: Type.Optional(Type.Boolean()),
  allowDotNames: Type.Optional(Type.Boolean()),
  followLinks: Type.Optional(Type.Boolean()),
  createRoot: Type.Optional(Type.Boolean()),
  quota: Type.Optional(Type.Union([bytes, Type.Object({
    container: Type.Optional(bytes),
    total: Type.Optional(bytes)
  }, { additionalProperties: false })])),
  minFree: Type.Optional(bytes),
  presign: Type.Optional(Type.Boolean()),
  presignTtl: Type.Optional(Type.Integer({ minimum: 1, maximum: 7 * 24 * 60 * 60 })),
  presignSecret: Type.Optional(Type.String({ minLength: 32 })),
  presignBase: Type.Optional(Type.String({ pattern: '^(?:https?:/)?/' })),
  redirect: Type.Optional(Type.Boolean()),
  resumable: Type.Optional(Type.Boolean()),
  resumableTtl: Type.Optional(count),
  maxResumable: Type.Optional(count),
  maxResumablePerNetwork: Type.Optional(count),
  resumableIdle: Type.Optional(count),
  containerOwner: Type.Optional(Type.Union([
    Type.Literal('userId'),
    Type.Literal('principal'),
    Type.Object({ model: Type.String() }, { additionalProperties: false })
  ])),
  fileAccess: Type.Optional(Type.Function([], Type.Unknown()))
})
type Checked = Static<typeof Common>

/** Who asks for what, for a rule of the application's own (storage.md, SD-13). */
export interface FileAccessContext {
  /** The method: `getFile`, `upload`, `download` … */
  readonly method: string
  readonly container: string
  /** Undefined where a container as a whole is asked for. */
  readonly file: string | undefined
  /** The caller's access token; undefined for callers without one. */
  readonly principal: { readonly userId?: unknown, readonly [key: string]: unknown } | undefined
}

export type FileAccess = (context: FileAccessContext) => boolean | Promise<boolean>

/** What a data source says of its files. Assigned to its connector, a setting counts from then on (ST-05). */
export interface StorageOptions {
  /** `makeUnique`: stored under a random name with the extension of the given one. */
  nameConflict?: 'makeUnique' | '' | undefined
  /** The stored name; wins over `nameConflict`. */
  getFilename?: PerUploadFunction<string> | undefined
  /** Declared types that are taken; an empty list takes all. */
  allowedContentTypes?: PerUpload<readonly string[]> | undefined
  /** Bytes of a file. Default: 10 MiB. */
  maxFileSize?: PerUpload<number> | undefined
  /** Handed to the provider. */
  acl?: PerUpload<string> | undefined
  /** Bytes of all text fields of a form. Default: 1 MiB. */
  maxFieldsSize?: number | undefined
  /** Files of a form. Default: 20. */
  maxFiles?: number | undefined
  /** Text fields of a form. Default: 1,000. */
  maxFields?: number | undefined
  /** Bytes of the name of a field. Default: 100. */
  maxFieldNameSize?: number | undefined
  /** Bytes of a form. Default: 100 MiB. */
  maxTotalSize?: number | undefined
  /** Milliseconds in which a byte of an upload must come. Default: 30,000. */
  uploadTimeout?: number | undefined
  /** Milliseconds in which a client must take a byte of a download. Default: 30,000. */
  downloadTimeout?: number | undefined
  /** Uploads at a time, of this data source in this process. Default: 20. */
  maxConcurrentUploads?: number | undefined
  /** Of them those of one user, or of one network without a token. Default: half of `maxConcurrentUploads`. */
  maxUploadsPerClient?: number | undefined
  /** Entries of a list without a limit. Default: 10,000. */
  maxList?: number | undefined
  /** Whether the first bytes must fit the declared type. Default: false. */
  sniff?: boolean | undefined
  /** Which downloads a browser may show itself. Default: `auto`, harmless types. */
  disposition?: 'auto' | 'attachment' | 'inline' | undefined
  /** Whether an upload makes its container. Default: false. */
  createContainers?: boolean | undefined
  /** Bytes that the files of a container, and of all, may have. */
  quota?: number | { container?: number | undefined, total?: number | undefined } | undefined
  /** Bytes of the disk that stay free. */
  minFree?: number | undefined
  /** Whether clients may ask for signed addresses. Default: false. */
  presign?: boolean | undefined
  /** Seconds that a signed address is good for. Default: 300. */
  presignTtl?: number | undefined
  /** What a model signs addresses with, where the provider signs none: 32 characters. Default: random, per process. */
  presignSecret?: string | undefined
  /** Where the routes of the model are for clients, for addresses that code of the application asks for. */
  presignBase?: string | undefined
  /** Whether downloads lead to signed addresses. Default: false. */
  redirect?: boolean | undefined
  /** Whether uploads can be resumed (tus 1.0). Default: false. */
  resumable?: boolean | undefined
  /** Seconds that an upload which does not go on is kept. Default: 86,400. */
  resumableTtl?: number | undefined
  /**
   * Uploads of one user that have begun and are not whole; of all callers without a token ten times as many. Default:
   * 100.
   */
  maxResumable?: number | undefined
  /** The same of one network, of callers without a token. Default: 10. */
  maxResumablePerNetwork?: number | undefined
  /** Seconds that an upload of a caller without a token is kept while it does not go on. Default: 3,600. */
  resumableIdle?: number | undefined
  /**
   * `userId`: a container belongs to the user whose id is its name, where one model has users; `{ model }`: of that
   * model; `principal`: the name has model and id (`Customer-7`).
   */
  containerOwner?: 'userId' | 'principal' | { readonly model: string } | undefined
  /** A rule for each container and file. */
  fileAccess?: FileAccess | undefined
}

/** Settings of storage: of every provider, and beside them those of one, which are its own. */
export interface StorageSettings extends StorageOptions {
  /** `filesystem`, `amazon`, `google`, `azure`, the name of a package, or a driver. Default: `filesystem`. */
  readonly provider?: string | StorageDriver | undefined
  /** The folder of `filesystem`. */
  readonly root?: string | undefined
  readonly [setting: string]: unknown
}

/** Names of `StorageOptions`. */
export const optionNames = [
  'nameConflict', 'getFilename', 'allowedContentTypes', 'maxFileSize', 'acl', 'maxFieldsSize', 'maxFiles', 'maxFields',
  'maxFieldNameSize', 'maxTotalSize', 'uploadTimeout', 'downloadTimeout', 'maxConcurrentUploads',
  'maxUploadsPerClient', 'maxList', 'sniff',
  'disposition', 'createContainers', 'quota', 'minFree', 'presign', 'presignTtl', 'presignSecret', 'presignBase',
  'redirect', 'resumable', 'resumableTtl', 'maxResumable', 'maxResumablePerNetwork', 'resumableIdle', 'containerOwner',
  'fileAccess'
] as const satisfies ReadonlyArray<keyof StorageOptions>

/**
 * The options of a data source, checked.
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS naming the setting
 */
export function readOptions (settings: DataSourceSettings, dataSource: string): StorageOptions {
  const written = { ...settings, ...numbersIn(settings) }
  const fault = optionsFault(Common, written, 'setting')
  if (fault !== undefined) throw new errors.DataSourceSettingsError(dataSource, fault)
  const checked = written as Checked & StorageOptions
  return Object.fromEntries(optionNames.map(name => [name, checked[name]])) as StorageOptions
}

/** Settings that are a number of bytes, entries, milliseconds or seconds. */
const numeric = [
  'maxFileSize', 'maxFieldsSize', 'maxFiles', 'maxFields', 'maxFieldNameSize', 'maxTotalSize', 'uploadTimeout',
  'downloadTimeout', 'maxConcurrentUploads', 'maxUploadsPerClient', 'maxList', 'quota', 'minFree', 'presignTtl'
] as const satisfies ReadonlyArray<keyof StorageOptions>

/** Numbers written as text: folders of LoopBack have them, as sizes are only ever compared there. */
function numbersIn (settings: DataSourceSettings): Record<string, number> {
  return Object.fromEntries(numeric.flatMap((name): Array<[string, number]> => {
    const value = settings[name]
    return typeof value === 'string' && /^\d+$/.test(value) ? [[name, Number(value)]] : []
  }))
}

/** The root of a data source with a folder; a relative one is below `baseDir`. */
export function rootOf (settings: DataSourceSettings, dataSource: string, baseDir: string): string {
  const { root } = settings
  if (typeof root !== 'string' || root === '') {
    throw new errors.DataSourceSettingsError(dataSource, 'the setting "root" must be a text that is not empty.')
  }
  return path.resolve(baseDir, root)
}
