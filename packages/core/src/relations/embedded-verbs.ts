/** What accessors of embedded lists have beside what all lists have. */
import { chain, type MaybePromise } from '../maybe-promise.js'
import { isInstance } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { verb, type Verb, type Verbs } from './accessor.js'
import type { EmbedsMany } from './embeds-many.js'
import { invalidRelation } from './errors.js'
import { keyText } from './keys.js'
import { listVerbs } from './list.js'
import type { Relation } from '../interfaces/relation.js'

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
    set: updateById,
    unset: destroyById,
    add: verb(2, (owner, [related, data], options) => add(relation, owner, related, data, options)),
    remove: verb(1, (owner, [related], options) => remove(relation, owner, related, options))
  } as Verbs
}

/**
 * Embedded rows can themselves belong to rows elsewhere (`options.belongsTo` names their relation): `add` embeds a row
 * that points at one.
 */
function add (relation: EmbedsMany, owner: ModelInstance, related: unknown, data: unknown, options: OperationOptions) {
  const { foreignKey, primaryKey } = keysOf(relation)
  const given = data !== null && typeof data === 'object' ? data as Row : {}
  return relation.create(owner, { ...given, [foreignKey]: keyOf(related, primaryKey) }, options)
}

/** Takes out all embedded rows that point at `related`. */
function remove (
  relation: EmbedsMany,
  owner: ModelInstance,
  related: unknown,
  options: OperationOptions
): MaybePromise<unknown> {
  const { foreignKey, primaryKey } = keysOf(relation)
  return relation.removeWhere(owner, row => keyText(row[foreignKey]) === keyText(keyOf(related, primaryKey)), options)
}

function keysOf (relation: EmbedsMany): { foreignKey: string, primaryKey: string } {
  const name = relation.options.belongsTo
  const reference: Relation | undefined = typeof name === 'string' ? relation.related.relations.get(name) : undefined
  if (reference?.type !== 'belongsTo') {
    const problem = 'rows can be added when "options.belongsTo" names a belongsTo relation of the embedded model'
    throw invalidRelation(relation.model, relation.name, problem)
  }
  return {
    foreignKey: reference.definition.foreignKey as string,
    primaryKey: reference.definition.primaryKey as string
  }
}

const keyOf = (related: unknown, primaryKey: string): unknown => isInstance(related) ? related[primaryKey] : related
