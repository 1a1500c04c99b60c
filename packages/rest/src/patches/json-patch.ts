/**
 * JSON Patch (RFC 6902) on a document that JSON has made. Members are the document's own: nothing of a prototype is
 * read or written, whatever a path says.
 */
import { deepEqual } from '@fastback/core/connector'

/** Why a document is no patch, or cannot be applied; the position of the operation, and its path. */
export class PatchError extends Error {
  constructor (
    readonly kind: 'invalid' | 'inapplicable' | 'test', message: string, readonly operation: number, readonly path: string
  ) {
    super(message)
  }
}

export interface PatchLimits {
  /** Operations of one patch. */
  readonly operations: number
  /** Characters of JSON that they may add, all together. */
  readonly characters: number
  /** Levels of the document. */
  readonly depth: number
}

/** How much larger than what one request may send the row is that a patch works on. */
const timesABody = 4

/** Characters of a row that a patch works on at most: it is read, copied and compared at once. */
export const largestDocument = ({ characters }: PatchLimits): number => timesABody * characters

export interface Operation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  readonly path: readonly string[]
  readonly from: readonly string[] | undefined
  readonly value: unknown
}

type Json = Record<string, unknown> | unknown[]

const names: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test'])
const withValue: ReadonlySet<unknown> = new Set(['add', 'replace', 'test'])
const withFrom: ReadonlySet<unknown> = new Set(['move', 'copy'])

/**
 * The operations of a patch, read.
 *
 * ```js
 * readPatch([{ op: 'add', path: '/a~1b', value: 1 }], limits) // [{ op: 'add', path: ['a/b'], … }]
 * ```
 * @throws PatchError for what is no patch
 */
export function readPatch (document: unknown, { operations, depth }: PatchLimits): Operation[] {
  if (!Array.isArray(document)) throw new PatchError('invalid', 'A JSON patch is a list of operations', 0, '')
  if (document.length > operations) {
    throw new PatchError('invalid', `A JSON patch has at most ${String(operations)} operations`, operations, '')
  }
  return document.map((each: unknown, i) => readOperation(each, i, depth))
}

function readOperation (given: unknown, index: number, depth: number): Operation {
  const refuse = (why: string, path = ''): never => { throw new PatchError('invalid', why, index, path) }
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return refuse('An operation is an object')
  const { op, path, from } = given as Record<string, unknown>
  if (!names.has(op)) return refuse('"op" is add, remove, replace, move, copy or test')
  const pointer = (name: string, value: unknown): string[] => {
    if (typeof value !== 'string') return refuse(`"${name}" is a JSON pointer, such as "/title"`)
    const parts = readPointer(value)
    if (parts === undefined) return refuse(`"${name}" is no JSON pointer: it begins with "/", and "~" is written "~0"`, value)
    if (parts.length > depth) return refuse(`"${name}" has more than ${String(depth)} levels`, value.slice(0, 100))
    if (parts.includes('__proto__')) return refuse(`"${name}" names "__proto__"`, value)
    return parts
  }
  const at = pointer('path', path)
  if (withValue.has(op) && !Object.hasOwn(given, 'value')) return refuse(`"${op as string}" needs a "value"`, path as string)
  return {
    op: op as Operation['op'],
    path: at,
    from: withFrom.has(op) ? pointer('from', from) : undefined,
    value: (given as { value?: unknown }).value
  }
}

/** The parts of a JSON pointer (RFC 6901); undefined for what is none. */
export function readPointer (text: string): string[] | undefined {
  if (text === '') return []
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined
  return text.slice(1).split('/').map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

const pointerOf = (parts: readonly string[]): string =>
  parts.map(part => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/**
 * The document that a patch makes of another, which stays as it is.
 *
 * ```js
 * applyPatch({ a: 1 }, readPatch([{ op: 'replace', path: '/a', value: 2 }], limits), limits) // { a: 2 }
 * ```
 * @throws PatchError where a path leads nowhere, a test fails, or the document grows beyond the limits
 */
export function applyPatch (document: unknown, operations: readonly Operation[], limits: PatchLimits): unknown {
  return new Patching(document, limits).run(operations)
}

class Patching {
  #root: unknown
  #added = 0
  #index = 0
  #path: readonly string[] = []
  /** The first operation that moved a value further down. */
  #deeper: { readonly index: number, readonly path: readonly string[] } | undefined

  constructor (document: unknown, readonly limits: PatchLimits) {
    this.#root = structuredClone(document)
  }

  run (operations: readonly Operation[]): unknown {
    for (const [index, operation] of operations.entries()) {
      this.#index = index
      this.#path = operation.path
      this.#apply(operation)
    }
    this.#mustBeFlat()
    return this.#root
  }

  #apply ({ op, path, from, value }: Operation): void {
    switch (op) {
      case 'add': return this.#add(path, this.#copyOf(value, path))
      case 'remove': this.#remove(path); return
      case 'replace': return this.#replace(path, this.#copyOf(value, path))
      case 'copy': return this.#add(path, this.#copyOf(this.#get(from as string[]), path))
      case 'move': return this.#move(from as string[], path)
      case 'test':
        if (!deepEqual(this.#get(path), value)) throw this.#failed('test', 'The value is another one')
    }
  }

  #failed (kind: PatchError['kind'], why: string, path = this.#path): PatchError {
    return new PatchError(kind, why, this.#index, pointerOf(path))
  }

  /** What is put into the document, of its own: nothing stands in it twice. */
  #copyOf (value: unknown, path: readonly string[]): unknown {
    if (depthOf(value, this.limits.depth) + path.length > this.limits.depth) {
      throw this.#failed('invalid', `The document would have more than ${String(this.limits.depth)} levels`)
    }
    const text = JSON.stringify(value)
    this.#added += text.length
    if (this.#added > this.limits.characters) {
      throw this.#failed('invalid', `The operations add more than ${String(this.limits.characters)} characters`)
    }
    return JSON.parse(text)
  }

  #get (path: readonly string[]): unknown {
    let value = this.#root
    if (value === undefined) throw this.#failed('inapplicable', 'The document was removed', path)
    for (const part of path) value = this.#member(value, part, path)
    return value
  }

  #member (value: unknown, part: string, path: readonly string[]): unknown {
    if (Array.isArray(value)) {
      const at = indexOf(part)
      if (at !== undefined && at < value.length) return value[at]
    } else if (isObject(value) && Object.hasOwn(value, part)) return value[part]
    throw this.#failed('inapplicable', 'The path leads nowhere', path)
  }

  /** What holds the last part of a path. */
  #holder (path: readonly string[]): readonly [holder: Json, part: string] {
    const holder = this.#get(path.slice(0, -1))
    if (!isObject(holder) && !Array.isArray(holder)) throw this.#failed('inapplicable', 'The path leads into a single value')
    return [holder, path.at(-1) as string]
  }

  #add (path: readonly string[], value: unknown): void {
    if (path.length === 0) { this.#root = value; return }
    const [holder, part] = this.#holder(path)
    if (!Array.isArray(holder)) { holder[part] = value; return }
    const at = part === '-' ? holder.length : indexOf(part)
    if (at === undefined || at > holder.length) throw this.#failed('inapplicable', 'The list has no such position')
    holder.splice(at, 0, value)
  }

  #remove (path: readonly string[]): unknown {
    const removed = this.#get(path)
    if (path.length === 0) { this.#root = undefined; return removed }
    const [holder, part] = this.#holder(path)
    if (Array.isArray(holder)) holder.splice(Number(part), 1)
    else delete holder[part]
    return removed
  }

  #replace (path: readonly string[], value: unknown): void {
    this.#get(path)
    if (path.length === 0) { this.#root = value; return }
    const [holder, part] = this.#holder(path)
    if (Array.isArray(holder)) holder[Number(part)] = value
    else holder[part] = value
  }

  #move (from: readonly string[], path: readonly string[]): void {
    if (path.length > from.length && from.every((part, i) => part === path[i])) {
      throw this.#failed('invalid', 'A value cannot be moved into itself')
    }
    const value = this.#get(from)
    if (path.length > from.length) this.#deeper ??= { index: this.#index, path }
    this.#remove(from)
    this.#add(path, value)
  }

  /**
   * What is moved may be nearly all of the document, a hundred times: how deep it is is looked at once, at the end.
   * Nothing before walks down further than a path has parts, or than a value of the patch has levels.
   */
  #mustBeFlat (): void {
    const { depth } = this.limits
    if (this.#deeper === undefined || depthOf(this.#root, depth) <= depth) return
    this.#index = this.#deeper.index
    throw this.#failed('invalid', `The document would have more than ${String(depth)} levels`, this.#deeper.path)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** A position in a list: digits without a zero in front. */
const indexOf = (part: string): number | undefined => /^(?:0|[1-9]\d{0,8})$/.test(part) ? Number(part) : undefined

/** Levels of a value, up to one more than `most`. */
function depthOf (value: unknown, most: number): number {
  if (value === null || typeof value !== 'object') return 0
  if (most === 0) return 1
  let deepest = 0
  for (const each of Object.values(value)) deepest = Math.max(deepest, depthOf(each, most - 1))
  return deepest + 1
}
