import { comparedWithCaller } from '@fastback/acl/review'
import type { ModelClass } from '@fastback/core'
import type { AuditRule } from '../rule.js'

export const rowsWithoutIndex: AuditRule = {
  code: 'FBK_AUDIT_ROWS_WITHOUT_INDEX',
  severity: 'low',
  title: 'A rule about rows, or a tenant, compares a property that has no index with a value of the caller',
  why: 'The condition is part of every list of every caller: without an index the store reads all rows for it.',
  find ({ enforced, models, sources }) {
    if (!enforced) return []
    return models.flatMap(({ Model, name }) =>
      comparedWithCaller(Model).filter(property => !isIndexed(Model, property)).map(property => ({
        ...sources.model(Model, ['properties', property]),
        what: `Rules about rows of ${name} compare "${property}" with a value of the caller, and it has no index.`,
        fix: `"index": true of the property "${property}"`
      })))
  }
}

/** Whether an index begins with it. Keys of relations have one. */
function isIndexed ({ compiled }: ModelClass, property: string): boolean {
  const isKey = compiled.key[0]?.name === property
  return isKey || compiled.indexes.some(({ columns }) => columns[0]?.property === property) ||
    [...compiled.relations.values()].some(({ type, joinKeys }) => type === 'belongsTo' && joinKeys[0] === property)
}
