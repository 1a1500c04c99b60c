import type { CallerKind, MethodReview } from '@fastback/acl'
import { demandsOf, reviewOperation, type Demand } from '@fastback/acl/review'
import type { Relation } from '@fastback/core'
import { relationsOf } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'
import type { Found } from '../finding.js'
import { isOpenTo, some } from '../rows.js'

const kinds: readonly CallerKind[] = ['anonymous', 'user', 'owner']

export const relationPassesRules: AuditRule = {
  code: 'FBK_AUDIT_RELATION_PASSES_RULES',
  severity: 'medium',
  title: 'Routes of a relation that do to the related model what its own rules refuse',
  why: 'With relatedAccess "parent", LoopBack\'s way, the rules of the model in the address decide about /Parents/:id/children. Those of the children are not asked.',
  async find ({ enforced, models, sources, registry }) {
    const found: Found[] = []
    for (const { Model, name, methods } of enforced ? models : []) {
      for (const relation of relationsOf(Model).values()) {
        const target = relation.embedded ? undefined : relation.target()
        if (target === undefined || (target.settings.relatedAccess ?? registry.settings.relatedAccess) !== undefined) {
          continue
        }
        const passing: MethodReview[] = []
        for (const review of methods) {
          if (review.method.relation === relation.name && (await passes(review, relation))) passing.push(review)
        }
        if (passing.length === 0) continue
        const names = passing.map(({ method }) => method.name)
        const writes = passing.some(({ method }) => equivalentOf(method.name, relation)?.accessType === 'WRITE')
        found.push({
          ...sources.model(Model, ['relations', relation.name]),
          severity: writes ? 'high' : 'medium',
          what: `Routes of ${name} may do what the rules of ${target.modelName} refuse: ${some(names)}.`,
          fix: '"relatedAccess": "related"'
        })
      }
    }
    return found
  }
}

/** What a relation's method does to the related model, in that model's own words. */
const equivalentOf = (method: string, relation: Relation): Demand | undefined =>
  demandsOf(relation, method).find(({ Model }) => Model === relation.target())

/** A rule that names the relation's method was meant for it. Nested methods are judged at both models. */
async function passes (review: MethodReview, relation: Relation): Promise<boolean> {
  const equivalent = equivalentOf(review.method.name, relation)
  const target = relation.target()
  if (equivalent === undefined || target === undefined || review.method.nested !== undefined) return false
  const [name = ''] = equivalent.names
  const own = await reviewOperation(target, name, equivalent.accessType)
  // Who may read the rows one by one sees nothing new in a list, or as the one row of a relation.
  const single = await reviewOperation(target, 'findById', 'READ')
  const reads = equivalent.accessType === 'READ'
  return kinds.some(
    kind =>
      isOpenTo(review, kind) &&
      review.decide(kind).rule?.methods === undefined &&
      !isOpenTo(own, kind) &&
      !(reads && isOpenTo(single, kind))
  )
}
