/**
 * Relations declared in code: `Order.belongsTo(Customer, { as: 'buyer', foreignKey: 'buyerId' })`, or by name,
 * `Order.hasMany('items', { model: 'OrderItem' })`.
 */
import { camelize, singularize } from 'inflection'
import type { RelationDefinition, RelationType } from '../definition/definition.js'
import { relationWithoutEmpty } from '../definition/empty-texts.js'
import { rulesToExtend } from '../definition/access-rules.js'
import { relationAcls } from '../definition/relation-acls.js'
import { invalidRelation } from './errors.js'
import { implyPropertiesOf } from './implied-properties.js'
import { inheritedPlural, nameFor } from './keys.js'
import { lookupModel } from './lookup.js'
import type { Relation } from '../interfaces/relation.js'
import type { ModelClass } from '../interfaces/model-class.js'

type ModelReference = ModelClass | string

/** What the declarators take beside the keys of a relation definition; models may be given as classes. */
export type RelationParameters = Omit<Partial<RelationDefinition>, 'type' | 'model' | 'through'> & {
  as?: string
  model?: ModelReference
  through?: ModelReference
}

type Declarator = (this: ModelClass, to: ModelReference, parameters?: RelationParameters) => Relation | undefined

const nameOf = (model: ModelReference): string => typeof model === 'string' ? model : model.modelName

/** Names of relations that are declared with a class alone. */
const defaultNames: Readonly<Record<RelationType, (to: ModelClass) => string>> = {
  belongsTo: to => nameFor(to.modelName),
  hasOne: to => nameFor(to.modelName),
  hasMany: to => nameFor(inheritedPlural(to)),
  hasAndBelongsToMany: to => nameFor(inheritedPlural(to)),
  referencesMany: to => nameFor(inheritedPlural(to)),
  embedsOne: to => `${nameFor(to.modelName)}Item`,
  embedsMany: to => `${nameFor(to.modelName)}List`
}

/**
 * Makes one declarator, which gives the relation. A text is the name of the relation, or of the model when there is one
 * of that name.
 * @throws FBK_CORE_INVALID_DEFINITION for a relation without a name
 */
function declarator (type: RelationType): Declarator {
  return function (to, parameters = {}) {
    const { as, model, through, ...rest } = relationWithoutEmpty(parameters)
    const given = typeof to === 'string' ? undefined : to
    const named =
      given ??
      lookupModel(this.registry, to as string) ??
      lookupModel(this.registry, camelize(singularize(to as string)))
    const target = model === undefined ? named : typeof model === 'string' ? lookupModel(this.registry, model) : model
    const name = as ?? (given === undefined ? to as string : defaultNames[type](given))
    if (typeof name !== 'string' || name === '') throw invalidRelation(this, String(name), 'a relation needs a name')
    const definition: RelationDefinition = { ...rest, type }
    // Beside a name of the relation's own the text is the model's, which may come later.
    const wanted = model ?? (as === undefined ? undefined : to)
    const modelName = target?.modelName ?? (wanted === undefined ? undefined : nameOf(wanted))
    if (modelName !== undefined && !(type === 'belongsTo' && rest.polymorphic !== undefined)) {
      definition.model = modelName
    }
    if (through !== undefined) definition.through = nameOf(through)
    this.state.lateRelations.set(name, definition)
    const place = `model "${this.modelName}", relation "${name}"`
    const rules = relationAcls(name, definition, place)
    if (rules.length > 0) rulesToExtend(this, place).push(...rules)
    this.state.invalidate()
    implyProperties(this, name)
    return this.state.relations.get(name)
  }
}

/**
 * A relation that is declared after the models were closed needs its keys at once; a model that is not there is found
 * out when they are closed.
 */
function implyProperties (model: ModelClass, name: string): void {
  const relation = model.state.relations.get(name)
  if (relation?.isResolved === true) implyPropertiesOf(relation)
}

/** Class functions of all models. */
export const relationDeclarators: Readonly<Record<RelationType, Declarator>> = {
  belongsTo: declarator('belongsTo'),
  hasOne: declarator('hasOne'),
  hasMany: declarator('hasMany'),
  hasAndBelongsToMany: declarator('hasAndBelongsToMany'),
  embedsOne: declarator('embedsOne'),
  embedsMany: declarator('embedsMany'),
  referencesMany: declarator('referencesMany')
}
