/**
 * Defaults between a model's operations and its store. A row that lacks a value, because it is older than the property,
 * is read with its default (`applyDefaultsOnReads`). With `persistDefaultValues: false` a value that equals the default
 * is not stored, so that a change of the default reaches all rows that have it; with `applyDefaultOnWrites: false` new
 * rows do not store it. Conditions see what is stored.
 */
import type { CompiledProperty, StoredModel } from '../definition/stored-model.js'
import type { Connector } from '../data-source/connector.js'
import { chain } from '../maybe-promise.js'
import { coerceValue } from '../properties/coerce.js'
import { compileMemberDefaults } from '../properties/member-defaults.js'
import type { Row } from '../properties/types.js'
import type { Selection } from '../query/ast.js'
import { deepEqual } from '../query/equal.js'
import { withFunctions } from './store-layer.js'

type Default = CompiledProperty & { readonly makeDefault: () => unknown }

const hasDefault = (property: CompiledProperty): property is Default => property.makeDefault !== undefined

/** A default that is the same for each row. */
const isConstant = ({ definition: { default: value } }: CompiledProperty): boolean =>
  value !== undefined && value !== null && typeof value !== 'function' && value !== '$now'

/** What a model's defaults ask of its store. */
interface Rules {
  /** Not stored, and not lacking either. */
  readonly unstored: readonly Default[]
  /** Values that new rows are stored without. */
  readonly leftOut: ReadonlyArray<readonly [name: string, value: unknown]>
  /** Defaults of rows that lack them. */
  readonly read: readonly Default[]
  /** Properties whose objects may lack members that have defaults. */
  readonly nested: ReadonlyArray<{ readonly name: string, fill (value: unknown): unknown }>
}

/**
 * What stands between a model's operations and its store for the sake of defaults; undefined where nothing need.
 *
 * ```js
 * const layer = defaultsLayer(model.properties, model.settings)
 * const store = layer === undefined ? connector : layer(connector)
 * ```
 */
export function defaultsLayer (
  properties: readonly CompiledProperty[], { applyDefaultsOnReads }: StoredModel['settings']
): ((connector: Connector) => Connector) | undefined {
  const unstored = properties.filter(hasDefault)
    .filter(property => property.definition.persistDefaultValues === false && isConstant(property))
  const leftOut = properties
    .filter(property => property.definition.applyDefaultOnWrites === false && isConstant(property))
    .map(({ name, type, definition }) => [name, coerceValue(type, definition.default, '', () => {})] as const)
  const read = applyDefaultsOnReads === false
    ? []
    : properties.filter(hasDefault).filter(({ idPosition }) => idPosition === 0)
  const nested = properties.flatMap(({ name, type }) => {
    const fill = compileMemberDefaults(type)
    return fill === undefined ? [] : [{ name, fill }]
  })
  if (unstored.length + leftOut.length + read.length + nested.length === 0) return undefined
  return connector => {
    // Rows of tables lack nothing: they have null, which is a value.
    const isWhole = connector.plans !== undefined
    if (isWhole && unstored.length + leftOut.length + nested.length === 0) return connector
    const filled = isWhole ? read.filter(property => unstored.includes(property)) : read
    return between(connector, { unstored, leftOut, read: filled, nested })
  }
}

function between (connector: Connector, { unstored, leftOut, read, nested }: Rules): Connector {
  const without = (row: Row): Row => {
    if (unstored.length === 0) return row
    const stored = { ...row }
    // Set to undefined, not deleted: an update takes the value away.
    for (const { name, makeDefault } of unstored) {
      if (name in stored && deepEqual(stored[name], makeDefault())) stored[name] = undefined
    }
    return stored
  }
  const whole = (row: Row): Row => unstored.length === 0
    ? row
    : Object.fromEntries(Object.entries(without(row)).filter(([, value]) => value !== undefined))
  const fresh = (row: Row): Row => {
    const stored = whole(row)
    const same = leftOut.filter(([name, value]) => name in stored && deepEqual(stored[name], value))
    if (same.length === 0) return stored
    return Object.fromEntries(Object.entries(stored).filter(([name]) => !same.some(([left]) => left === name)))
  }
  const selected = new WeakMap<Selection, readonly Default[]>()
  const readBy = (select: Selection): readonly Default[] => {
    let known = selected.get(select)
    if (known === undefined) selected.set(select, known = read.filter(({ name }) => select.names.includes(name)))
    return known
  }
  const filled = <R extends Row | undefined>(row: R, defaults: readonly Default[]): R => {
    if (row !== undefined) {
      for (const { name, makeDefault } of defaults) if (row[name] === undefined) row[name] = makeDefault()
      for (const { name, fill } of nested) if (name in row) row[name] = fill(row[name])
    }
    return row
  }
  /** What was left out of a new row is in the response all the same. */
  const asGiven = (stored: Row, given: Row): Row => {
    for (const [name] of leftOut) stored[name] ??= given[name]
    return filled(stored, unstored)
  }
  const own: Partial<Connector> = {
    create: (model, row, options) =>
      chain(connector.create(model, fresh(row), options), stored => asGiven(stored, row)),
    createMany: (model, rows, options) =>
      chain(connector.createMany(model, rows.map(fresh), options), stored =>
        stored.map((row, i) => asGiven(row, rows[i] as Row))),
    find: (model, query, options) => {
      const defaults = readBy(query.select)
      const rows = connector.find(model, query, options)
      if (defaults.length + nested.length === 0) return rows
      return chain(rows, found => found.map(row => filled(row, defaults)))
    },
    findById: (model, id, select, options) =>
      chain(connector.findById(model, id, select, options), row => filled(row, readBy(select))),
    updateAll: (model, where, changes, options) => connector.updateAll(model, where, without(changes), options),
    updateById: (model, id, changes, options) =>
      chain(connector.updateById(model, id, without(changes), options), row => filled(row, [...unstored, ...read])),
    replaceById: (model, id, row, options) =>
      chain(connector.replaceById(model, id, whole(row), options), stored => filled(stored, unstored)),
    findOrCreate: (model, query, row, options) =>
      chain(connector.findOrCreate(model, query, fresh(row), options), found => ({
        ...found,
        row: found.created ? asGiven(found.row, row) : filled(found.row, readBy(query.select))
      }))
  }
  // Text that the store writes itself would lack the defaults.
  return withFunctions(connector, own)
}
