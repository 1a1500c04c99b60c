/**
 * Properties with `persistDefaultValues: false`: a value that equals the default is not stored, and what is not stored
 * is read as the default, so that a change of the default reaches all rows that have it. Conditions see what is stored.
 */
import type { CompiledProperty } from '../definition/stored-model.js'
import type { Connector } from '../data-source/connector.js'
import { chain } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { Selection } from '../query/ast.js'
import { deepEqual } from '../query/equal.js'
import { withFunctions } from './store-layer.js'

type Default = CompiledProperty & { readonly makeDefault: () => unknown }

/** The properties it is about. Defaults that are made anew for each row are always stored. */
export function unstoredDefaults (properties: readonly CompiledProperty[]): Default[] {
  return properties.filter((property): property is Default => {
    const { persistDefaultValues, default: value } = property.definition
    return (
      persistDefaultValues === false &&
      value !== undefined &&
      typeof value !== 'function' &&
      value !== '$now' &&
      property.makeDefault !== undefined
    )
  })
}

/** Stands between a model's operations and its store. */
export function leavingOutDefaults (connector: Connector, defaults: readonly Default[]): Connector {
  const without = (row: Row): Row => {
    const stored = { ...row }
    // Set to undefined, not deleted: an update takes the value away.
    for (const { name, makeDefault } of defaults) {
      if (name in stored && deepEqual(stored[name], makeDefault())) stored[name] = undefined
    }
    return stored
  }
  const fresh = (row: Row): Row =>
    Object.fromEntries(Object.entries(without(row)).filter(([, value]) => value !== undefined))
  const filled = <R extends Row | undefined>(row: R, select?: Selection): R => {
    if (row !== undefined) {
      for (const { name, makeDefault } of defaults) {
        if (row[name] === undefined && (select === undefined || select.names.includes(name))) row[name] = makeDefault()
      }
    }
    return row
  }
  const own: Partial<Connector> = {
    create: (model, row, options) => chain(connector.create(model, fresh(row), options), stored => filled(stored)),
    createMany: (model, rows, options) =>
      chain(connector.createMany(model, rows.map(fresh), options), stored => stored.map(row => filled(row))),
    find: (model, query, options) =>
      chain(connector.find(model, query, options), rows => rows.map(row => filled(row, query.select))),
    findById: (model, id, select, options) =>
      chain(connector.findById(model, id, select, options), row => filled(row, select)),
    updateAll: (model, where, changes, options) => connector.updateAll(model, where, without(changes), options),
    updateById: (model, id, changes, options) =>
      chain(connector.updateById(model, id, without(changes), options), row => filled(row)),
    replaceById: (model, id, row, options) =>
      chain(connector.replaceById(model, id, fresh(row), options), stored => filled(stored)),
    findOrCreate: (model, query, row, options) =>
      chain(connector.findOrCreate(model, query, fresh(row), options), found => ({
        ...found,
        row: filled(found.row, query.select)
      }))
  }
  // Text that the store writes itself would lack the defaults.
  return withFunctions(connector, own)
}
