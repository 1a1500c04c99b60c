import { Type, type TUnsafe } from '@sinclair/typebox'
import type { FileReference } from '@fastback/core'

/** What a property of files may say. */
export interface FileSettings {
  /** The data source that keeps the files. */
  readonly storage?: string
  /** Where the storage keeps them. Default: the plural of the model, in lower case. */
  readonly container?: string
  /** Media types that are taken, `image/*` for all of a kind. Default: all. */
  readonly accept?: string | readonly string[]
  /** Bytes of a file, also as `5mb`. Default: 10 MiB. */
  readonly maxSize?: number | string
  readonly description?: string
}

/**
 * A property that is a file, in TypeBox. A list says the settings itself.
 *
 * ```ts
 * Type.Object({
 *   image: Type.Optional(FileProperty({ storage: 'photos', accept: ['image/*'], maxSize: '5mb' })),
 *   papers: Type.Optional(Type.Array(FileProperty(), { storage: 'photos' }))
 * })
 * ```
 */
export function FileProperty<const Settings extends FileSettings> (settings?: Settings): TUnsafe<FileReference> {
  return Type.Unsafe<FileReference>({ type: 'file', ...settings })
}
