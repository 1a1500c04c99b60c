import { tenantOf } from '@fastback/acl/review'
import { isUserModel } from '@fastback/auth'
import { hasObserver } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'
import type { Found } from '../finding.js'
import { isOpenTo } from '../rows.js'
import type { PublishedModel } from '../subject.js'

export const ownerLists: AuditRule = {
  code: 'FBK_AUDIT_OWNER_LISTS',
  severity: 'medium',
  title: 'Rows have owners by a rule for `$owner`, and lists of them are open to others, or shut to the owners as well',
  why: 'A rule for $owner counts for one row at a time, and never for find: who may call find sees the rows of all owners, and who may not does not see the own ones either.',
  find ({ enforced, models, sources }) {
    if (!enforced) return []
    return models.flatMap(model => {
      const found = foundIn(model)
      return found === undefined ? [] : [{ ...sources.model(model.Model, ['acls']), ...found }]
    })
  }
}

const fix = '{ "principalType": "ROLE", "principalId": "$authenticated", "permission": "ALLOW", "accessType": "READ", "rows": "own" }'

function foundIn ({ Model, name, methods }: PublishedModel): Pick<Found, 'what' | 'fix' | 'severity'> | undefined {
  const find = methods.find(({ method }) => method.builtin === 'find')
  const one = methods.find(({ method }) => method.builtin === 'findById')
  // A user owns one row of theirs: there is no list to see.
  if (isUserModel(Model)) return undefined
  if (find === undefined || one === undefined || find.plan.check !== undefined) return undefined
  const { rule } = one.decide('owner')
  // Who may read every row by its id may as well have a list of them.
  if (rule?.principalId !== '$owner' || !isOpenTo(one, 'owner') || isOpenTo(one, 'user')) return undefined
  if (!isOpenTo(find, 'anonymous', 'user')) {
    const opens = find.plan.rules.some(each => each.permission !== 'DENY' && each.principalId !== '$owner')
    return opens
      ? undefined
      : { what: `Owners read a ${name} by its id, and nobody may list them.`, fix, severity: 'low' }
  }
  const isNarrowed = find.plan.rules.some(({ narrowing }) => narrowing?.rows !== undefined) ||
    tenantOf(Model) !== undefined || hasObserver(Model, 'access')
  const who = isOpenTo(find, 'anonymous') ? 'Everybody' : 'Everybody who is logged in'
  return isNarrowed
    ? undefined
    : { what: `${who} may list all of ${name}, of which only the owner may read one by its id.`, fix }
}
