/** Relations between one model and several: a foreign key and a discriminator that holds a model's name. */
import { camelize } from 'inflection'
import type { PolymorphicDefinition, RelationDefinition } from '../definition/definition.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { whileModelsStay } from '../while-models-stay.js'
import { relatedInTransaction, lookupModel } from './lookup.js'

/** A polymorphic definition with every default filled in. */
export interface Polymorphic extends PolymorphicDefinition {
  readonly selector: string
  readonly foreignKey: string
  readonly discriminator: string
}

/** Expands `true`, `"imageable"` and objects; undefined for relations to one model. */
export function polymorphicOf (definition: RelationDefinition, relation: string): Polymorphic | undefined {
  const written = definition.polymorphic
  if (written === undefined || written === false || written === null) return undefined
  const given: PolymorphicDefinition =
    typeof written === 'object' ? written : typeof written === 'string' ? { selector: written } : {}
  const selector = given.selector ?? given.as ?? relation
  return {
    ...given,
    selector,
    foreignKey: given.foreignKey ?? camelize(`${selector}_id`, true),
    discriminator: given.discriminator ?? camelize(`${selector}_type`, true)
  }
}

/**
 * The model that a discriminator names, or undefined. The value may come from a client, so only models that are
 * declared for the relation can be meant: a picture does not lead to an access token (S-80).
 */
export function modelNamedBy (model: ModelClass, polymorphic: Polymorphic, value: unknown): ModelClass | undefined {
  if (typeof value !== 'string') return undefined
  const named = lookupModel(model.registry, value)
  if (named === undefined || named.dataSource === null || !isDeclared(named, model, polymorphic)) return undefined
  return relatedInTransaction(model, named)
}

/** Whether rows of `model` can point at any model at all. */
export const reachesAny = (model: ModelClass, polymorphic: Polymorphic): boolean =>
  declaredFor(model, polymorphic).length > 0

/** The models that rows of `model` can point at, as far as they have a data source. */
export const modelsOf = (model: ModelClass, polymorphic: Polymorphic): ModelClass[] =>
  declaredFor(model, polymorphic)
    .filter(each => each.dataSource !== null)
    .map(each => relatedInTransaction(model, each))

const kDeclared = Symbol('fastback.polymorphic')

/** All models are looked at once: a filter may ask several times. */
function declaredFor (model: ModelClass, polymorphic: Polymorphic): readonly ModelClass[] {
  const { registry } = model
  const known = whileModelsStay(registry, kDeclared, () => new WeakMap<Polymorphic, readonly ModelClass[]>())
  const found = known.get(polymorphic)
  if (found !== undefined) return found
  const declared = Object.values(registry.models).filter(each => isDeclared(each, model, polymorphic))
  known.set(polymorphic, declared)
  return declared
}

/** The models that `models` of the definition lists; without a list those that have the other side of the relation. */
function isDeclared (named: ModelClass, model: ModelClass, polymorphic: Polymorphic): boolean {
  const { models } = polymorphic
  return models === undefined ? pointsBack(named, model, polymorphic) : models.includes(named.modelName)
}

/** Whether `from` has a polymorphic relation whose rows (or joining rows) are those of `holder`. */
function pointsBack (from: ModelClass, holder: ModelClass, { foreignKey, discriminator }: Polymorphic): boolean {
  return Object.entries(from.definition.relations).some(([name, definition]) => {
    if (definition.type === 'belongsTo') return false
    const other = polymorphicOf(definition, name)
    return other !== undefined && other.foreignKey === foreignKey && other.discriminator === discriminator &&
      [definition.model, definition.through].some(each => each !== undefined && each !== '' && isKindOf(holder, each))
  })
}

/** Whether a model is the one named, or extends it. */
function isKindOf (model: ModelClass, name: string): boolean {
  return model.state.chain().some(({ own }) => own.name.toLowerCase() === name.toLowerCase())
}
