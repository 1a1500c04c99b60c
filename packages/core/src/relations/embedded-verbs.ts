/** What accessors of embedded lists have beside what all lists have. */
import { chain, type MaybePromise } from '../maybe-promise.js'
import { isInstance } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { asInternal } from '../operations/origin.js'
import { unknownId } from '../errors.js'
import { verb, type Verb, type Verbs } from './accessor.js'
import { BelongsTo } from './belongs-to.js'
import type { EmbedsMany } from './embeds-many.js'
import { invalidRelation } from './errors.js'
import { toInstance } from './instances.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { keyText } from './keys.js'
import { listVerbs } from './list.js'
import { relatedRows } from './related-rows.js'

export function embeddedVerbs (relation: EmbedsMany): Verbs {
  const verbs = listVerbs(relation)
  const { findById, destroyById } = verbs as Record<'findById' | 'destroyById', Verb>
  const embedding = ({ arity, run }: Verb): Verb =>
    verb(arity, (owner, args, options) =>
      chain(run(owner, args, options), result => {
        for (const each of [result].flat()) relation.instance(owner, each as Row)
        return result
      })
    )
  const updateById = embedding(verbs.updateById as Verb)
  return {
    ...verbs,
    create: embedding(verbs.create as Verb),
    updateById,
    get: findById,
    set: verb(2, (owner, args, options) => {
      // As in LoopBack, the row at hand changes at once.
      const held = relation.heldBy(owner, args[0]) as (ModelInstance & { setAttributes (data: unknown): void }) | null
      held?.setAttributes(args[1] ?? {})
      return updateById.run(owner, args, options)
    }),
    unset: destroyById,
    add: verb(2, (owner, [related, data], options) => add(relation, owner, related, data, options)),
    remove: verb(1, (owner, [related], options) => remove(relation, owner, related, options))
  } as Verbs
}

/**
 * Embedded rows can themselves belong to rows elsewhere (`options.belongsTo` names their relation): `add` embeds a row
 * that points at one.
 */
function add (
  relation: EmbedsMany, owner: ModelInstance, related: unknown, data: unknown, options: OperationOptions
): MaybePromise<unknown> {
  const { reference, target, primaryKey } = referenceOf(relation)
  const found = isInstance(related)
    ? related
    : relatedRows(target.compiled, { where: { [primaryKey]: related }, limit: 1 }, asInternal(options))
  return chain(found, each => {
    const row = Array.isArray(each) ? each[0] as Row | undefined : each
    if (row === undefined) throw unknownId(target.modelName, related)
    const embedded = new relation.Target(data !== null && typeof data === 'object' ? data as Row : {})
    reference.assign(embedded, toInstance(target.compiled, row))
    return relation.create(owner, { ...embedded }, options)
  })
}

/** Takes out all embedded rows that point at `related`. */
function remove (
  relation: EmbedsMany,
  owner: ModelInstance,
  related: unknown,
  options: OperationOptions
): MaybePromise<unknown> {
  const { reference: { foreignKey }, primaryKey } = referenceOf(relation)
  return relation.removeWhere(owner, row => keyText(row[foreignKey]) === keyText(keyOf(related, primaryKey)), options)
}

function referenceOf (relation: EmbedsMany): { reference: BelongsTo, target: ModelClass, primaryKey: string } {
  const name = relation.options.belongsTo
  const reference: unknown = typeof name === 'string' ? relation.related.relations.get(name) : undefined
  if (!(reference instanceof BelongsTo) || reference.polymorphic !== undefined) {
    const problem = 'rows can be added when "options.belongsTo" names a belongsTo relation of the embedded model'
    throw invalidRelation(relation.model, relation.name, problem)
  }
  return { reference, target: reference.Target, primaryKey: reference.definition.primaryKey as string }
}

const keyOf = (related: unknown, primaryKey: string): unknown => isInstance(related) ? related[primaryKey] : related
