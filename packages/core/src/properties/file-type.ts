/** Properties whose values are files: the row has a reference, a data source with storage keeps the bytes. */
import type { CompiledProperty } from '../definition/stored-model.js'
import type { PropertyDefinition } from '../definition/definition.js'
import { invalidType, type TypeLocation } from './type-location.js'
import type { PropertyType } from './types.js'

/** A file as a row has it. The storage's own names are not told: `id` means this file of this row, and nothing else. */
export interface FileReference {
  /** Another one for each file that is stored. */
  id: string
  /** The name that the file came with. */
  name: string
  /** Its media type, as it was declared. */
  type: string
  /** Bytes. */
  size: number
}

/** A file on its way into a row: a `File` or `Blob`, or a file argument of a remote method. */
export interface IncomingFile {
  /** Default: `file`. */
  readonly name?: string
  /** Media type. Default: `application/octet-stream`. */
  readonly type?: string
  /** The bytes; each call gives them from the first one on. */
  stream (): AsyncIterable<Uint8Array>
}

/** What a property of the type `file` can be set to: a file, one that was sent before, or the one that is there. */
export type FileInput = IncomingFile | { readonly upload: string } | FileReference

/** One file; to stores it is an object like any other. */
const one: PropertyType = {
  kind: 'object',
  file: true,
  members: {
    id: { kind: 'string' },
    name: { kind: 'string' },
    type: { kind: 'string' },
    size: { kind: 'number' },
    upload: { kind: 'string' }
  }
}

/**
 * Whether a property holds files, one or a list of them.
 *
 * ```js
 * Photo.compiled.properties.filter(({ type }) => isFileType(type)).map(({ name }) => name) // ['image']
 * ```
 */
export const isFileType = ({ file, items }: PropertyType): boolean => file === true || items?.file === true

/**
 * Whether a value is a file on its way. JSON has no functions: no client can write one.
 *
 * ```js
 * isIncomingFile(new Blob(['x'])) // true
 * isIncomingFile({ id: 'x', name: 'x' }) // false
 * ```
 */
export const isIncomingFile = (value: unknown): value is IncomingFile =>
  value !== null && typeof value === 'object' && 'stream' in value && typeof value.stream === 'function'

/**
 * The type of a property of files: `file`, or a list of it, with the data source that keeps them as `storage`. Without
 * `storage` the name is that of a model.
 * @throws FBK_CORE_INVALID_DEFINITION for `storage` that is no name, and for limits on files without it
 */
export function fileTypeOf (definition: PropertyDefinition, location: TypeLocation): PropertyType | undefined {
  const items = itemsOf(definition.type)
  if (nameOf(items ?? definition.type) !== 'file') return undefined
  const { storage, accept, maxSize } = definition
  if (storage === undefined) {
    if (accept === undefined && maxSize === undefined) return undefined
    throw invalidType(location, 'has the type "file" and no "storage"; name the data source that keeps its files there')
  }
  if (typeof storage !== 'string' || storage === '') {
    throw invalidType(location, 'has a "storage" that is no name of a data source')
  }
  return items === undefined ? one : { kind: 'array', items: one }
}

/** What a list is written of: `['file']`, `'[file]'`, or a TypeBox array. */
function itemsOf (written: unknown): unknown {
  if (Array.isArray(written)) return written[0] as unknown
  if (typeof written === 'string') return /^\[(.+)\]$/.exec(written.trim())?.[1]
  return nameOf(written) === 'array' ? (written as { items?: unknown }).items : undefined
}

/** In TypeBox a file is an `Unsafe` with the type `file`. */
function nameOf (written: unknown): unknown {
  if (typeof written === 'string') return written
  return written !== null && typeof written === 'object' && 'type' in written ? written.type : undefined
}

/** The properties of files, by the data source that keeps them; undefined where there are none. */
export function filesByStorage (
  properties: readonly CompiledProperty[]
): ReadonlyMap<string, readonly CompiledProperty[]> | undefined {
  const files = properties.filter(({ type }) => isFileType(type))
  if (files.length === 0) return undefined
  const byStorage = new Map<string, CompiledProperty[]>()
  for (const property of files) {
    const storage = property.definition.storage as string
    byStorage.set(storage, [...byStorage.get(storage) ?? [], property])
  }
  return byStorage
}
