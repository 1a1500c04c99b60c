import type { CallerKind, MethodReview } from '@fastback/acl'
import { reviewOperation } from '@fastback/acl/review'
import type { Relation } from '@fastback/core'
import { relationsOf } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'
import type { Found } from '../finding.js'
import { isOpenTo, some } from '../rows.js'

const kinds: readonly CallerKind[] = ['anonymous', 'user', 'owner']

/** What a relation's method does to the related model, in that model's own words. */
const equivalents: Readonly<Record<string, readonly [method: string, accessType: string]>> = {
  get: ['find', 'READ'],
  findById: ['findById', 'READ'],
  count: ['count', 'READ'],
  create: ['create', 'WRITE'],
  updateById: ['patchAttributes', 'WRITE'],
  update: ['patchAttributes', 'WRITE'],
  destroyById: ['deleteById', 'WRITE'],
  destroy: ['deleteById', 'WRITE'],
  delete: ['deleteById', 'WRITE']
}

export const relationPassesRules: AuditRule = {
  code: 'FBK_AUDIT_RELATION_PASSES_RULES',
  severity: 'medium',
  title: 'Routes of a relation that do to the related model what its own rules refuse',
  why: 'The rules of the model in the address decide about /Parents/:id/children. Those of the children are not asked.',
  async find ({ enforced, models, sources }) {
    const found: Found[] = []
    for (const { Model, name, methods } of enforced ? models : []) {
      for (const relation of relationsOf(Model).values()) {
        const target = relation.embedded ? undefined : relation.target()
        if (target === undefined) continue
        const passing: MethodReview[] = []
        for (const review of methods) {
          if (review.method.relation === relation.name && (await passes(review, relation))) passing.push(review)
        }
        if (passing.length === 0) continue
        const names = passing.map(({ method }) => method.name)
        const writes = passing.some(({ method }) => equivalentOf(method.name, relation)?.[1] === 'WRITE')
        found.push({
          ...sources.model(Model, ['relations', relation.name]),
          severity: writes ? 'high' : 'medium',
          what: `Routes of ${name} may do what the rules of ${target.modelName} refuse: ${some(names)}.`,
          fix: `{ "principalType": "ROLE", "principalId": "$everyone", "permission": "DENY", "property": ${JSON.stringify(names)} }`
        })
      }
    }
    return found
  }
}

function equivalentOf (method: string, { name }: Relation): readonly [method: string, accessType: string] | undefined {
  // Bounded: at most 1,000 characters, the name of a method.
  const [, verb = '', of] = /^__(\w+?)__(.+)$/.exec(method) ?? []
  return of === name ? equivalents[verb] : undefined
}

/** A rule that names the relation's method was meant for it. Nested methods are judged at both models. */
async function passes (review: MethodReview, relation: Relation): Promise<boolean> {
  const equivalent = equivalentOf(review.method.name, relation)
  const target = relation.target()
  if (equivalent === undefined || target === undefined || review.method.nested !== undefined) return false
  const own = await reviewOperation(target, ...equivalent)
  // Who may read the rows one by one sees nothing new in a list, or as the one row of a relation.
  const single = await reviewOperation(target, 'findById', 'READ')
  const reads = equivalent[1] === 'READ'
  return kinds.some(
    kind =>
      isOpenTo(review, kind) &&
      review.decide(kind).rule?.methods === undefined &&
      !isOpenTo(own, kind) &&
      !(reads && isOpenTo(single, kind))
  )
}
