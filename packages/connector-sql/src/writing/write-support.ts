/** Writes of several rows in one step (`TogetherSupport`, `SetSupport`). */
import type { SetSupport, TogetherSupport } from '@fastback/core'
import { writes, type OperationRunner } from '../operation-runner.js'
import type { Table } from '../tables/table.js'
import { insertTogether, type TableRow } from './insert-batch.js'
import { putRows } from './insert-many.js'
import { insertNext } from './insert-next.js'
import { deleteSet, updateSet, upsertSet } from './write-set.js'

export const togetherSupport = (runner: OperationRunner): TogetherSupport => ({
  create: (rows, { model, id, property }, options) =>
    runner.together([model, ...rows.map(({ model }) => model)], options, (connection, [kept, ...tables]) =>
      insertTogether(
        connection,
        rows.map(({ row, keptAs }, i): TableRow => ({ table: tables[i] as Table, row, keptAs })),
        { table: kept as Table, id, property }
      )),
  put: (model, rows, options) =>
    runner.run(model, options, writes, (connection, table) => putRows(connection, table, rows)),
  createNext: (model, row, counting, options) =>
    runner.run(
      model, options, writes, (connection, table) => insertNext(connection, table, row, counting), { given: row })
})

export const setSupport = (runner: OperationRunner): SetSupport => ({
  update: (model, where, changes, options) =>
    runner.read(model, options, reader => updateSet(reader, where, changes), writes, { given: changes }),
  delete: (model, where, options) => runner.read(model, options, reader => deleteSet(reader, where), writes),
  upsert: (model, rows, merge, options) =>
    runner.run(
      model, options, writes, (connection, table) => upsertSet(connection, table, rows, merge), { given: rows })
})
