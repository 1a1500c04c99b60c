import { allowedWithout } from '@fastback/acl/review'
import type { AuditRule } from '../rule.js'
import { describeRule, some, writtenRows } from '../rows.js'
import { isLoggedIn } from './logged-in.js'

export const allowWithoutDeny: AuditRule = {
  code: 'FBK_AUDIT_ALLOW_WITHOUT_DENY',
  severity: 'high',
  title: 'An ALLOW row that restricts nothing, because no row denies the others',
  why: 'A row that allows takes nothing from anybody. What no row decides is allowed, so everybody may do what the row seems to reserve.',
  async find (subject) {
    return (await writtenRows(subject)).flatMap(({ rule, models, place }) => {
      const decided = models.flatMap(each => each.decided)
      if (rule.permission !== 'ALLOW' || rule.principalId === '$everyone' || decided.length === 0) return []
      const loggedIn = isLoggedIn(rule, subject)
      if (!decided.every(({ review, rule }) => allowedWithout(review.plan, rule, loggedIn) === 'default')) return []
      const what = `"${describeRule(rule)}" reserves nothing: others may call ${some([...new Set(decided.map(({ review }) => review.method.name))])} as well.`
      return [
        { ...place(), what, fix: '{ "principalType": "ROLE", "principalId": "$everyone", "permission": "DENY" }' }
      ]
    })
  }
}
