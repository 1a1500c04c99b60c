import { voidParts } from '@fastback/acl/review'
import type { AuditRule } from '../rule.js'
import { describeRule, writtenRows } from '../rows.js'

export const rowShadowed: AuditRule = {
  code: 'FBK_AUDIT_ROW_SHADOWED',
  severity: 'medium',
  title: 'A row that never decides, because a weightier one decides the opposite for everybody',
  why: 'Rows are weighed by method, access type, principal and permission, not by their order: this one loses wherever it fits.',
  async find (subject) {
    return (await writtenRows(subject)).flatMap(({ rule, models, place }) => {
      const concerned = models.flatMap(each => each.concerned)
      // One that nobody can read is a finding of its own.
      if (voidParts(subject.registry, rule).length > 0) return []
      if (concerned.length === 0 || models.some(({ decided }) => decided.length > 0)) return []
      const winners = concerned.flatMap(({ plan }) => plan.rules.at(-1) ?? [])
      const winner = winners.find(({ permission }) => (permission === 'DENY') !== (rule.permission === 'DENY'))
      if (winner === undefined) return []
      const what = `"${describeRule(rule)}" never decides: "${describeRule(winner)}" weighs more, and fits everybody.`
      const fix = rule.permission === 'DENY' ? `remove the row "${describeRule(winner)}"` : 'remove this row'
      return [{ ...place(), ...(rule.permission === 'DENY' ? { severity: 'high' as const } : {}), what, fix }]
    })
  }
}
