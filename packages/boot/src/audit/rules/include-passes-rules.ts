import type { CallerKind } from '@fastback/acl'
import { isAllowed, reviewOperation, includeAccessOf } from '@fastback/acl/review'
import type { ModelClass, Relation } from '@fastback/core'
import { relationsOf } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'
import type { Found } from '../finding.js'
import { isOpenTo } from '../rows.js'
import type { PublishedModel, Subject } from '../subject.js'

const kinds: readonly CallerKind[] = ['anonymous', 'user', 'owner']

export const includePassesRules: AuditRule = {
  code: 'FBK_AUDIT_INCLUDE_PASSES_RULES',
  severity: 'medium',
  title: "A relation by which include shows rows that the related model's own rules refuse",
  why: 'With relatedAccess "parent", LoopBack\'s way, only the rules of the model that is asked count; ?filter[include] hands out the rows of the other one.',
  async find (subject) {
    const found: Found[] = []
    for (const parent of subject.enforced ? subject.models : []) {
      for (const relation of relationsOf(parent.Model).values()) {
        const target = includable(relation, subject)
        const kind = target === undefined ? undefined : await passing(parent, relation, target)
        if (target === undefined || kind === undefined) continue
        const what = `${parent.name}?filter[include]=${relation.name} shows ${whom[kind]} rows that the rules of ${target.modelName} refuse.`
        found.push({
          ...subject.sources.model(parent.Model, ['relations', relation.name]),
          what,
          fix: '"relatedAccess": "related"'
        })
      }
    }
    return found
  }
}

const whom = { anonymous: 'everybody', user: 'every logged-in user', owner: 'the owner of a row' } as const

/** The related model, where nobody has said in so many words what include may show. */
function includable (relation: Relation, { registry }: Subject): ModelClass | undefined {
  if (relation.embedded || relation.definition.options?.disableInclude === true) return undefined
  const target = relation.target()
  return target === undefined || (includeAccessOf(target.settings) ?? includeAccessOf(registry.settings)) !== undefined
    ? undefined
    : target
}

/** The first kind of caller who may read the one and not the other. */
async function passing (
  { Model, methods }: PublishedModel,
  relation: Relation,
  target: ModelClass
): Promise<CallerKind | undefined> {
  const reading = methods.filter(({ method }) => method.builtin === 'find' || method.builtin === 'findById')
  const own = await reviewOperation(target, 'findById', 'READ')
  const named = await reviewOperation(Model, `__get__${relation.name}`, 'READ')
  return kinds.find(kind => {
    const { permission, rule } = named.decide(kind)
    const refused = !isAllowed(permission) && rule?.methods !== undefined
    return !refused && reading.some(review => isOpenTo(review, kind)) && !isOpenTo(own, kind)
  })
}
