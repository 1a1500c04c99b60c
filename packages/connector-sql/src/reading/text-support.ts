/** What the connector writes as JSON text (`TextSupport`), each by a function of its own. */
import type { TextSupport } from '@fastback/core'
import type { Dialect } from '../dialects/dialect.js'
import { reads, writes, type OperationRunner } from '../operation-runner.js'
import type { Table } from '../tables/table.js'
import { updateRowText } from '../writing/update.js'
import { readAttached } from './attached.js'
import { readIncluding } from './including.js'
import { readKeyed, readRowText, readRowTextWhere, readText } from './read.js'

export function textSupport (runner: OperationRunner, { texts }: Dialect): TextSupport {
  return {
    find: (model, query, options) => runner.read(model, options, reader => readText(reader, query)),
    findById: (model, id, select, options) =>
      runner.run(model, options, reads, (connection, table) => readRowText(connection, table, id, select)),
    findByIdWhere: (model, id, where, select, options) =>
      runner.read(model, options, reader => readRowTextWhere(reader, id, where, select)),
    updateById: (model, id, changes, select, options) =>
      runner.run(
        model,
        options,
        writes,
        (connection, table) => updateRowText(connection, table, id, changes, select, options),
        { id, given: changes }
      ),
    findKeyed: (model, query, keyNames, options) =>
      runner.read(model, options, reader => readKeyed(reader, query, keyNames)),
    ...(texts === undefined
      ? {}
      : {
          findBeside: (model, query, beside, options) =>
            runner.readAttached(model, [beside.model], options, (reader, [other]) =>
              readAttached(reader, query, other as Table, beside)),
          findIncluding: (model, query, belonging, share, options) =>
            runner.readAttached(model, belonging.map(({ model }) => model), options, (reader, others) =>
              readIncluding(reader, query, belonging.map((each, i) => ({ ...each, table: others[i] as Table })), share))
        })
  }
}
