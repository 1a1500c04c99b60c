/**
 * What the page needs to know of models beyond their description: keys of relations, user models, roles. Published
 * models alone, and nothing of hidden properties (security.md, S-57).
 */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { extendsModel } from '@fastback/core/remote'
import { restRoutes } from '@fastback/rest'

/** A relation of one model to another published one, by the key that joins them. */
export interface RelationFacts {
  readonly name: string
  /** The model that it leads to. */
  readonly model: string
  /** Whether the key is this row's own, and leads to one row of the other; else rows of the other have it. */
  readonly own: boolean
  /** The property with the key. */
  readonly key: string
  /** The property that the key is compared with, on the other side. */
  readonly target: string
}

export interface ModelFacts {
  readonly name: string
  /** Name of the id; undefined where the rows have none. */
  readonly id?: string
  /** Properties that hold files. */
  readonly files: readonly string[]
  readonly relations: readonly RelationFacts[]
  /** Of a user model: what role mappings call its users. */
  readonly principalType?: string
}

export interface AdminFacts {
  readonly models: readonly ModelFacts[]
  /** The models of roles, as far as they are published. */
  readonly role?: string
  readonly mapping?: string
}

/**
 * What there is to know of the published models, below one prefix or all.
 *
 * ```js
 * factsOf(app.registry).models[0] // { name: 'Note', id: 'id', files: [], relations: [ … ] }
 * ```
 */
export function factsOf (registry: ModelRegistry, restApiRoot?: string): AdminFacts {
  const published = new Set(restRoutes(registry)
    .filter(({ method, prefix }) =>
      method.documented && (restApiRoot === undefined || prefix === restApiRoot.replace(/\/+$/, '')))
    .map(({ method }) => method.model))
  const models = [...published]
  const nameOf = (base: string): string | undefined => models.find(Model => extendsModel(Model, base))?.modelName
  const [role, mapping] = [nameOf('Role'), nameOf('RoleMapping')]
  return {
    models: models.map(Model => modelFacts(Model, published, principalTypeOf(Model, registry))),
    ...(role === undefined ? {} : { role }),
    ...(mapping === undefined ? {} : { mapping })
  }
}

function modelFacts (
  Model: ModelClass, published: ReadonlySet<ModelClass>, principalType: string | undefined
): ModelFacts {
  const { id, hidden, files } = Model.compiled
  return {
    name: Model.modelName,
    ...(id === undefined || hidden.has(id.name) ? {} : { id: id.name }),
    files: files.filter(name => !hidden.has(name)),
    relations: relationFacts(Model, published),
    ...(principalType === undefined ? {} : { principalType })
  }
}

function relationFacts (Model: ModelClass, published: ReadonlySet<ModelClass>): RelationFacts[] {
  return [...Model.compiled.relations.values()].flatMap(relation => {
    const other = relation.isResolved && !relation.embedded ? relation.target() : undefined
    const reference = other === undefined ? undefined : relation.reference()
    // Of a polymorphic relation the key alone says nothing.
    if (other === undefined || reference === undefined || Object.keys(reference.only).length > 0) return []
    const { holder, property, target, targetProperty } = reference
    const isHidden = holder.compiled.hidden.has(property) || target.compiled.hidden.has(targetProperty)
    if (!published.has(other) || isHidden) return []
    const own = relation.type === 'belongsTo'
    return [{ name: relation.name, model: other.modelName, own, key: property, target: targetProperty }]
  })
}

/** `USER` where there is one user model; with several of them its name. */
function principalTypeOf (Model: ModelClass, registry: ModelRegistry): string | undefined {
  if (!extendsModel(Model, 'User')) return undefined
  const users = Object.values(registry.models).filter(each => each.dataSource !== null && extendsModel(each, 'User'))
  const inUse = users.filter(each => !users.some(other => other !== each && extendsModel(other, each)))
  return inUse.length < 2 ? 'USER' : Model.modelName
}
