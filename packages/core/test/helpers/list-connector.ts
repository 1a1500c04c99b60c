/** A store of lists for tests of the core that need to create and find rows; `connector-memory` is the real one. */
import type { StoredModel } from '../../src/definition/stored-model.js'
import type { Connector, Id } from '../../src/data-source/connector.js'
import { compileCondition } from '../../src/query/match.js'
import { projectRow } from '../../src/query/select.js'
import type { Query, Selection } from '../../src/query/ast.js'
import type { Row } from '../../src/properties/types.js'

/** Answers at once, or (`later`) by promises. `queries` counts the reads. */
export function listConnector (later = false): Connector & { queries: number } {
  const tables = new Map<string, Row[]>()
  const table = (model: StoredModel): Row[] =>
    tables.get(model.name) ?? (tables.set(model.name, []).get(model.name) as Row[])
  const answer = <T>(value: T): T => (later ? Promise.resolve(value) : value) as T
  const connector = {
    name: 'list',
    generatedIdType: 'number',
    defaultMigration: 'none',
    queries: 0,
    connect () {},
    disconnect () {},
    ping () {},
    attach () {},
    create (model: StoredModel, row: Row) {
      const rows = table(model)
      const stored = { ...row, ...(model.id?.generated === true ? { [model.id.name]: rows.length + 1 } : {}) }
      rows.push(stored)
      return answer({ ...stored })
    },
    findById (model: StoredModel, id: Id, select: Selection) {
      connector.queries++
      const found = table(model).find(row => model.id !== undefined && row[model.id.name] === id)
      return answer(found === undefined ? undefined : projectRow(found, select, model))
    },
    find (model: StoredModel, query: Query) {
      connector.queries++
      return answer(
        table(model)
          .filter(compileCondition(query.where))
          .slice(0, query.limit)
          .map(row => projectRow(row, query.select, model))
      )
    }
  }
  return connector as unknown as Connector & { queries: number }
}
