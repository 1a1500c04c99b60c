/**
 * Whether a client may do such a write of a model at all. A second way to do it (a push, a bulk update, an address for
 * an upload) asks here whether the first one is published, and open to the caller (security.md, S-98).
 */
import { isPromise, type MaybePromise } from '../maybe-promise.js'
import { isRemote } from '../operations/origin.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { sharedMethodsOf } from './shared-methods.js'

/** A kind of write of rows. */
export type WriteKind = 'create' | 'update' | 'delete' | 'restore'

/** The methods whose routes do it, by their full names. */
const ways: Readonly<Record<WriteKind, readonly string[]>> = {
  create: ['create', 'patchOrCreate', 'replaceOrCreate', 'upsertWithWhere'],
  update: ['prototype.patchAttributes', 'replaceById', 'patchOrCreate', 'replaceOrCreate', 'upsertWithWhere'],
  delete: ['deleteById'],
  restore: ['restoreById']
}

interface Remoting { readonly sharedMethods?: Record<string, unknown> }

/**
 * Whether the model has a route of one of these methods: what an application has disabled by name is none.
 *
 * ```js
 * hasShared(Note, ['find', 'findById']) // true
 * ```
 */
export function hasShared (Model: ModelClass, names: readonly string[]): boolean {
  return sharedAmong(Model, names).length > 0
}

function sharedAmong (Model: ModelClass, names: readonly string[]): string[] {
  const { sharedMethods } = (Model.registry.settings.remoting ?? {}) as Remoting
  return sharedMethodsOf(Model, sharedMethods).map(({ fullName }) => fullName).filter(name => names.includes(name))
}

/**
 * Whether there is a route of the model that does such a write. Code in the process needs none.
 *
 * ```js
 * if (!writesAreShared(Note, 'delete', options)) throw refused()
 * ```
 */
export const writesAreShared = (Model: ModelClass, kind: WriteKind, options: OperationOptions): boolean =>
  !isRemote(options) || hasShared(Model, ways[kind])

/**
 * Whether a client may do one of these writes: there is a route for it, and the rules let the caller call it, if only
 * for rows of their own.
 *
 * ```js
 * if (!await opensWrite(Photo, ['create', 'update'], options)) throw refused()
 * ```
 */
export function opensWrite (
  Model: ModelClass, kinds: readonly WriteKind[], options: OperationOptions
): MaybePromise<boolean> {
  return opensOne(Model, kinds, options, (guard, name) => guard.opens(Model, name, 'WRITE'))
}

/**
 * The same for a row at hand.
 *
 * ```js
 * if (!await opensWriteOf(Note, 'update', row, options)) throw refused()
 * ```
 */
export const opensWriteOf = (
  Model: ModelClass, kind: WriteKind, row: Readonly<Row>, options: OperationOptions
): MaybePromise<boolean> =>
  opensOne(Model, [kind], options, (guard, name) => guard.allows(Model, name, 'WRITE', row, { isGone: true }))

type Guard = NonNullable<OperationOptions['rowGuard']>

function opensOne (
  Model: ModelClass, kinds: readonly WriteKind[], options: OperationOptions,
  ask: (guard: Guard, name: string) => MaybePromise<boolean>
): MaybePromise<boolean> {
  if (!isRemote(options)) return true
  const names = sharedAmong(Model, kinds.flatMap(kind => ways[kind]))
  const { rowGuard } = options
  if (rowGuard === undefined || names.length === 0) return names.length > 0
  const answers = names.map(name => ask(rowGuard, name.replace(/^prototype\./, '')))
  return answers.some(isPromise)
    ? Promise.all(answers).then(all => all.includes(true))
    : answers.includes(true)
}
