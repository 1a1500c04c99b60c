/**
 * Bytes in JSON: Base64, or, with the setting `bufferFormat: "loopback"`, as LoopBack has them: `{ "type": "Buffer",
 * "data": [bytes] }`, and texts that stand for their UTF-8 letters. Code in the process has Buffers.
 */
import { InvalidSettingError } from '../errors.js'
import { invalid, parseJson, readBase64, toBuffer } from './convert.js'
import type { ModelLookup, ViolationHandler } from './coerce.js'
import { memberPath } from './path.js'
import type { RowModel } from './row-model.js'
import type { PropertyType, Row } from './types.js'

/**
 * Reads the setting.
 *
 * ```js
 * isLoopbacksFormat(undefined) // false
 * ```
 * @throws FBK_CORE_INVALID_SETTING for another word
 */
export function isLoopbacksFormat (setting: unknown): boolean {
  if (setting === undefined || setting === null || setting === 'base64') return false
  if (setting === 'loopback') return true
  throw new InvalidSettingError('bufferFormat', 'must be "base64" or "loopback"')
}

/** The type with all bytes within it as LoopBack writes them. */
export function loopbackBytes (type: PropertyType): PropertyType {
  if (type.kind === 'buffer') return { ...type, bytes: 'loopback' }
  if (type.items !== undefined) return { ...type, items: loopbackBytes(type.items) }
  if (type.members === undefined) return type
  const members = Object.entries(type.members).map(([name, member]) => [name, loopbackBytes(member)])
  return { ...type, members: Object.fromEntries(members) }
}

/**
 * Whether values of the type are Base64 in JSON.
 *
 * ```js
 * isBase64Type({ kind: 'buffer' }) // true
 * ```
 */
export const isBase64Type = ({ kind, bytes }: PropertyType): boolean => kind === 'buffer' && bytes === undefined

/** Whether bytes stand in values of the type, or are they, that are Base64 in JSON; rows of other models aside. */
export const holdsBase64 = (type: PropertyType): boolean =>
  isBase64Type(type) ||
  (type.items !== undefined && holdsBase64(type.items)) ||
  Object.values(type.members ?? {}).some(holdsBase64)

/**
 * The Base64 of bytes; undefined for anything else. Where a store has them within JSON, they come as Node writes them
 * there.
 *
 * ```js
 * base64Of(Buffer.from([0, 1, 2])) // 'AAEC'
 * ```
 */
export function base64Of (value: unknown): string | undefined {
  const isBytes = value instanceof Uint8Array || (isObject(value) && value.type === 'Buffer')
  const bytes = isBytes ? toBuffer(value) : invalid
  return bytes === invalid ? undefined : bytes.toString('base64')
}

/** Gives a value that came as JSON the bytes that it stands for. */
type Reader = (value: unknown, path: string, onViolation: ViolationHandler) => unknown

/**
 * Reads the Base64 in rows that came as JSON; what is none is a violation, and stays. Undefined where no property has
 * any.
 */
export function compileReadBytes (
  { properties }: Pick<RowModel, 'properties'>, lookup: ModelLookup
): ((row: Readonly<Row>, path: string, onViolation: ViolationHandler) => Readonly<Row>) | undefined {
  const types = Object.fromEntries(properties.map(({ name, type }) => [name, type]))
  const read = membersReader(types, lookup)
  return read as ReturnType<typeof compileReadBytes>
}

function readerOf (type: PropertyType, lookup: ModelLookup): Reader | undefined {
  switch (type.kind) {
    case 'buffer': return type.bytes === undefined ? readBytes : undefined
    case 'array': return type.items === undefined ? undefined : itemsReader(readerOf(type.items, lookup))
    case 'object': return type.members === undefined ? undefined : membersReader(type.members, lookup)
    // Models may hold each other, and are there when the first row comes.
    case 'model': return holdsRowsWithBytes(type.model as string, lookup)
      ? (value, path, onViolation) => {
          const row = typeof value === 'string' ? parseJson(value) : value
          const read = lookup(type.model as string)?.readBytes
          return read === undefined || !isObject(row) ? value : read(row, path, onViolation)
        }
      : undefined
  }
}

function holdsRowsWithBytes (name: string, lookup: ModelLookup, seen = new Set<string>()): boolean {
  if (seen.has(name)) return false
  seen.add(name)
  const within = (type: PropertyType): boolean => isBase64Type(type) ||
    (type.model !== undefined && holdsRowsWithBytes(type.model, lookup, seen)) ||
    (type.items !== undefined && within(type.items)) || Object.values(type.members ?? {}).some(within)
  return lookup(name)?.properties.some(({ type }) => within(type)) === true
}

const readBytes: Reader = (value, path, onViolation) => {
  if (typeof value !== 'string') return value
  const bytes = readBase64(value)
  if (bytes !== invalid) return bytes
  const message = 'is not Base64'
  onViolation({ path, code: 'format', message, info: { format: 'base64' }, inProcess: { code: 'format', message } })
  return value
}

function itemsReader (read: Reader | undefined): Reader | undefined {
  if (read === undefined) return undefined
  return (value, path, onViolation) => {
    const items = typeof value === 'string' ? parseJson(value) : value
    return Array.isArray(items) ? items.map((item, i) => read(item, `${path}[${i}]`, onViolation)) : value
  }
}

function membersReader (types: Readonly<Record<string, PropertyType>>, lookup: ModelLookup): Reader | undefined {
  const readers = Object.entries(types).flatMap(([name, type]) => {
    const read = readerOf(type, lookup)
    return read === undefined ? [] : [{ name, read }]
  })
  if (readers.length === 0) return undefined
  return (value, path, onViolation) => {
    const object = typeof value === 'string' ? parseJson(value) : value
    if (!isObject(object)) return value
    let result = object
    for (const { name, read } of readers) {
      const given = Object.hasOwn(object, name) ? object[name] : undefined
      const found = given === undefined ? given : read(given, path + memberPath(name), onViolation)
      if (found === given) continue
      if (result === object) result = { ...object }
      result[name] = found
    }
    return result
  }
}

const isObject = (value: unknown): value is Row =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
