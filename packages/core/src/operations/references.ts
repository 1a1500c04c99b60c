/** All keys of a registry that lead from model to model, looked up once for all its models. */
import { InvalidDefinitionError } from '../errors.js'
import { softDeleteIn } from '../definition/soft-delete-property.js'
import type { StoredReference } from '../definition/stored-model.js'
import { locationOf } from '../definition/location.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { Reference, Relation } from '../interfaces/relation.js'
import type { ModelState } from '../interfaces/model-state.js'
import { whileModelsStay } from '../while-models-stay.js'

interface References {
  /** By the name of the model that has the key. */
  readonly from: ReadonlyMap<string, readonly Reference[]>
  /** Those with `onDelete`, by the name of the model that they lead to. */
  readonly rules: ReadonlyMap<string, readonly Reference[]>
}

const kReferences = Symbol('fastback.references')
const none: readonly Reference[] = []

/**
 * Looked up again after a model has changed.
 * @throws FBK_CORE_INVALID_DEFINITION for both sides of a relation that say different things
 */
export const referencesIn = (registry: ModelRegistry): References =>
  whileModelsStay(registry, kReferences, () => lookUp(registry))

/** What is to be done when rows of a model are deleted; undefined for most models: nothing. */
export const deleteRules = (registry: ModelRegistry, name: string): readonly Reference[] | undefined =>
  referencesIn(registry).rules.get(name)

/** The keys of a model as its store knows them. */
export function storedReferences ({ Model, dataSource, definition }: ModelState): StoredReference[] {
  const all = referencesIn(Model.registry).from.get(definition.name) ?? none
  const own = all.filter(({ holder, target }) => holder.state.dataSource !== undefined && target.dataSource !== null)
  return own.map(({ property, target, targetProperty, only, onDelete, onUpdate, foreignKeys }) => ({
    property,
    get target () { return target.compiled },
    targetProperty,
    onDelete,
    onUpdate,
    isConstraint:
      target.dataSource?.connector === dataSource?.connector && Object.keys(only).length === 0 &&
      // One key can only be bound to one table: to that which its own side of the relation names.
      own.filter(other => other.property === property && other.target !== target).length === 0 &&
      (foreignKeys ?? dataSource?.settings.foreignKeys === true)
  }))
}

function lookUp (registry: ModelRegistry): References {
  const found = new Map<string, Reference>()
  for (const { state } of Object.values(registry.models)) {
    for (const relation of state.relations.values()) {
      if (!relation.isResolved) continue
      const reference = relation.reference()
      if (reference === undefined) mustSayNothing(relation)
      else {
        const { holder, property, target, targetProperty, only } = reference
        const key = JSON.stringify([holder.modelName, property, target.modelName, targetProperty, only])
        found.set(key, merged(found.get(key), reference, relation))
      }
    }
  }
  const all = [...found.values()]
  for (const reference of all) mustBePossible(reference)
  return {
    from: grouped(all, ({ holder }) => holder.modelName),
    rules: grouped(all.filter(({ onDelete }) => onDelete !== undefined), ({ target }) => target.modelName)
  }
}

/** What one side of a relation says holds for the other. */
function merged (one: Reference | undefined, other: Reference, relation: Relation): Reference {
  if (one === undefined) return other
  const both = { ...other }
  for (const name of ['onDelete', 'onUpdate', 'foreignKeys'] as const) {
    if (one[name] !== undefined && other[name] !== undefined && one[name] !== other[name]) {
      throw new InvalidDefinitionError(
        locationOf(relation.model.definition, `relations.${relation.name}.${name}`),
        `is "${String(other[name])}", and the other side of the relation says "${String(one[name])}"; say it on one side`
      )
    }
    Object.assign(both, { [name]: one[name] ?? other[name] })
  }
  return both
}

/** Said of rows that nobody would follow. */
function mustSayNothing ({ model, name }: Relation): void {
  const written = model.state.definition.relations[name]
  const said = ['onDelete', 'onUpdate', 'foreignKeys'].find(key => written?.[key] !== undefined)
  if (said === undefined) return
  throw new InvalidDefinitionError(
    locationOf(model.definition, `relations.${name}.${said}`),
    'is for belongsTo, and for hasMany and hasOne without a model in between; write it on the belongsTo relations of that model'
  )
}

/** A key that must be there cannot become null, and what a restore could not bring back does not go along. */
function mustBePossible ({ holder, target, property, onDelete, onUpdate }: Reference): void {
  if (onDelete === 'cascade' && puts(target) && !puts(holder)) {
    throw new InvalidDefinitionError(
      locationOf(holder.state.definition, 'softDelete'),
      `is missing: rows of ${target.modelName} are put away and can be restored, and a relation says "cascade", which would remove rows of ${holder.modelName} for good; write "softDelete": true here as well, or say "restrict" or "setNull" there`
    )
  }
  const { required } = holder.state.definition.properties[property] ?? {}
  if (required !== true || (onDelete !== 'setNull' && onUpdate !== 'setNull')) return
  throw new InvalidDefinitionError(
    locationOf(holder.state.definition, `properties.${property}`),
    'is required, and a relation says "setNull"; say "cascade" or "restrict" there'
  )
}

const puts = ({ state }: ModelClass): boolean => softDeleteIn(state.definition.settings) !== undefined

function grouped (
  references: readonly Reference[], nameOf: (reference: Reference) => string
): Map<string, readonly Reference[]> {
  const groups = new Map<string, Reference[]>()
  for (const reference of references) {
    const name = nameOf(reference)
    groups.set(name, [...groups.get(name) ?? [], reference])
  }
  return groups
}
