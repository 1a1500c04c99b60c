import type { Rule } from '@fastback/acl'
import { allowedWithout } from '@fastback/acl/review'
import type { AuditRule } from '../rule.js'
import { describeRule, writtenRows } from '../rows.js'
import { isLoggedIn } from './logged-in.js'

export const allowWider: AuditRule = {
  code: 'FBK_AUDIT_ALLOW_WIDER',
  severity: 'medium',
  title: 'An ALLOW row that another one beside it makes void, because that allows the same to more people',
  why: 'Who reads the narrower row believes that others are kept out. They are not.',
  async find (subject) {
    return (await writtenRows(subject)).flatMap(({ rule, models, place }) => {
      const decided = models.flatMap(each => each.decided)
      if (rule.permission !== 'ALLOW' || rule.principalId === '$everyone' || decided.length === 0) return []
      const loggedIn = isLoggedIn(rule, subject)
      const instead = decided.map(({ review, rule }) => allowedWithout(review.plan, rule, loggedIn))
      const wider = instead.find((each): each is Rule => each !== undefined && each !== 'default')
      if (wider === undefined || instead.includes(undefined)) return []
      const what = `"${describeRule(rule)}" gives nobody anything: "${describeRule(wider)}" allows the same to all it fits, and to others.`
      return [
        { ...place(), what, fix: `remove this row; or, if others are to be kept out, the row "${describeRule(wider)}"` }
      ]
    })
  }
}
