import { isExecuteForAll } from '@fastback/acl/review'
import type { AuditRule } from '../rule.js'
import { describeRule, writtenRows } from '../rows.js'

export const executeOpensAll: AuditRule = {
  code: 'FBK_AUDIT_EXECUTE_OPENS_ALL',
  severity: 'medium',
  title: 'An ALLOW EXECUTE row that, with `executeAllowsAll`, opens reading and writing as well',
  why: 'LoopBack 3 reads such a row as "everything". If it was written for the model\'s own methods, it opens the rows as well.',
  async find (subject) {
    if (subject.registry.settings.executeAllowsAll !== true) return []
    return (await writtenRows(subject))
      .filter(
        ({ rule, models }) =>
          isExecuteForAll(rule) &&
          models.some(({ decided }) => decided.some(({ review }) => review.operation.accessType !== 'EXECUTE'))
      )
      .map(({ rule, place }) => ({
        ...place(),
        what: `"${describeRule(rule)}" opens every method, whatever its access type.`,
        fix: '"executeAllowsAll": false'
      }))
  }
}
