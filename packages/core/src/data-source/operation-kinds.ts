/** The operations of stores: the one list of them. A new function of `Connector` has to be said here what it is. */
import type { Connector, StoreOptions } from './connector.js'

/** Functions of a connector whose last argument are the options of the store. */
type OperationName = {
  [K in keyof Connector]-?: NonNullable<Connector[K]> extends (...args: infer A) => unknown
    ? A extends readonly [...unknown[], StoreOptions] ? K : never
    : never
}[keyof Connector]

/**
 * - `read` and `write`: operations on rows, which all connectors have
 * - `optional`: the same, but not every connector has it
 * - `question`: what the store can do; it does nothing
 */
const operationKinds = {
  create: 'write',
  createMany: 'write',
  find: 'read',
  findById: 'read',
  count: 'read',
  updateAll: 'write',
  updateById: 'write',
  replaceById: 'write',
  findOrCreate: 'write',
  deleteAll: 'write',
  aggregate: 'optional',
  reserveIds: 'optional',
  supportsLinks: 'question',
  supportsLinkedOrder: 'question'
} as const satisfies Readonly<Record<OperationName, 'read' | 'write' | 'optional' | 'question'>>

type Kinds = typeof operationKinds
type NamesOf<Kind> = { [K in keyof Kinds]: Kinds[K] extends Kind ? K : never }[keyof Kinds]

const namesOf = <Kind extends Kinds[keyof Kinds]>(...kinds: readonly Kind[]): ReadonlyArray<NamesOf<Kind>> =>
  (Object.keys(operationKinds) as Array<keyof Kinds>)
    .filter((name): name is NamesOf<Kind> => (kinds as readonly string[]).includes(operationKinds[name]))

/** What all connectors have. */
export const operationNames = namesOf('read', 'write')
/** The same with those that not every connector has. */
export const operations: ReadonlySet<PropertyKey> = new Set(namesOf('read', 'write', 'optional'))

/** All writes of a store: a layer that has to see each of them has each of these. */
export type StoreWrites = Pick<Connector, NamesOf<'write'>>

const writeNames = namesOf('write')

/**
 * The writes of a layer, for `withFunctions`.
 *
 * ```js
 * withFunctions(connector, { ...writesOf(layer), find: layer.find })
 * ```
 */
export const writesOf = (layer: StoreWrites): StoreWrites =>
  Object.fromEntries(writeNames.map(name => [name, layer[name]])) as unknown as StoreWrites
