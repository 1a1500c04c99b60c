import { ownerKeys, takesOwnerFromToken } from '@fastback/acl/review'
import { isUserModel } from '@fastback/auth'
import type { ModelClass } from '@fastback/core'
import { hasObserver, remoteHooksOf } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'
import { isOpenTo, some } from '../rows.js'

const creating = ['create', 'patchOrCreate', 'replaceOrCreate', 'upsertWithWhere']

export const ownerFromClient: AuditRule = {
  code: 'FBK_AUDIT_OWNER_FROM_CLIENT',
  severity: 'high',
  title: 'Rows have owners, and clients say who that is',
  why: 'A client that creates a row can name another user as its owner, whose rights then apply to it.',
  find ({ enforced, models, sources }) {
    if (!enforced) return []
    return models.flatMap(({ Model, name, methods }) => {
      const owned = methods.some(({ plan }) =>
        plan.rules.some(rule => rule.principalId === '$owner' && rule.permission !== 'DENY')
      )
      const makers = methods
        .filter(review => creating.includes(review.method.builtin ?? '') && isOpenTo(review, 'anonymous', 'user'))
        .map(({ method }) => method.name)
      const keys = settable(Model)
      if (
        !owned ||
        makers.length === 0 ||
        keys.length === 0 ||
        isUserModel(Model) ||
        takesOwnerFromToken(Model) ||
        isWatched(Model)
      ) {
        return []
      }
      const what = `The client of ${some(makers)} sets the owner of a ${name} (${keys.join(', ')}).`
      return [{ ...sources.model(Model, ['ownerFromToken']), what, fix: '"ownerFromToken": true' }]
    })
  }
}

/**
 * The owner's keys that a client may send: those of relations, those that are declared, and any where undeclared
 * properties are kept.
 */
function settable (Model: ModelClass): string[] {
  const { named, foreign } = ownerKeys(Model)
  const declared = named.filter(key => Model.compiled.propertyByName.has(key))
  const open = Model.settings.strict === undefined || Model.settings.strict === false
  return [...declared.length > 0 || foreign.length > 0 || !open ? declared : named, ...foreign]
}

/** Code of the application that sees the row before it is written may set the owner. */
const isWatched = (Model: ModelClass): boolean =>
  hasObserver(Model, 'before save') || remoteHooksOf(Model).some(({ moment }) => moment === 'before')
