/**
 * What the page needs to know of models beyond their description: keys of relations, user models, roles. Published
 * models alone, and nothing of hidden properties (security.md, S-57).
 */
import type { ModelClass, ModelRegistry, Relation } from '@fastback/core'
import { extendsModel, withoutEndSlashes } from '@fastback/core/remote'
import { restRoutes } from '@fastback/rest'
import type { AdminFacts, KeyFacts, LinkFacts, ListFacts, ModelFacts } from '@fastback/ui/model-facts'

/** Which models the page is told of, and which property their rows are called by (option `titles`). */
export interface FactsOptions {
  readonly restApiRoot?: string | undefined
  readonly titles?: Readonly<Record<string, string>> | undefined
}

/**
 * What there is to know of the published models, below one prefix or all.
 *
 * ```js
 * factsOf(app.registry).models[0] // { name: 'Note', id: 'id', files: [], keys: [ … ], … }
 * ```
 */
export function factsOf (registry: ModelRegistry, { restApiRoot, titles = {} }: FactsOptions = {}): AdminFacts {
  const published = publishedModels(registry, restApiRoot)
  const models = [...published]
  const nameOf = (base: string): string | undefined => models.find(Model => extendsModel(Model, base))?.modelName
  const [role, mapping] = [nameOf('Role'), nameOf('RoleMapping')]
  return {
    models: models.map(Model => ({
      ...modelFacts(Model, published, principalTypeOf(Model, registry)),
      ...(titles[Model.modelName] === undefined ? {} : { title: titles[Model.modelName] as string })
    })),
    ...(role === undefined ? {} : { role }),
    ...(mapping === undefined ? {} : { mapping })
  }
}

/** The models that `@fastback/rest` published below one prefix or all. */
export function publishedModels (registry: ModelRegistry, restApiRoot: string | undefined): ReadonlySet<ModelClass> {
  const root = restApiRoot === undefined ? undefined : withoutEndSlashes(restApiRoot)
  return new Set(restRoutes(registry)
    .filter(({ method, prefix }) => method.documented && (root === undefined || prefix === root))
    .map(({ method }) => method.model))
}

function modelFacts (
  Model: ModelClass, published: ReadonlySet<ModelClass>, principalType: string | undefined
): ModelFacts {
  const { id, hidden, files, softDelete } = Model.compiled
  return {
    name: Model.modelName,
    ...(id === undefined || hidden.has(id.name) ? {} : { id: id.name }),
    ...(softDelete === undefined || hidden.has(softDelete.name) ? {} : { deletedAt: softDelete.name }),
    files: files.filter(name => !hidden.has(name)),
    defaults: defaultsOf(Model),
    ...relationFacts(Model, published),
    ...(principalType === undefined ? {} : { principalType })
  }
}

/** Defaults that one knows before there is a row; what a function makes is left to the server. */
function defaultsOf ({ compiled: { properties, hidden } }: ModelClass): Record<string, unknown> {
  return Object.fromEntries(properties.flatMap(({ name, makeDefault, definition: { default: written } }) => {
    const isConstant = written !== undefined && written !== '$now' && typeof written !== 'function'
    const value = isConstant && !hidden.has(name) ? makeDefault?.() : undefined
    return value === undefined || value === null ? [] : [[name, value]]
  }))
}

/** Whether both models are published, and neither property is hidden. */
type Tells = (Model: ModelClass, property: string) => boolean

function relationFacts (
  Model: ModelClass, published: ReadonlySet<ModelClass>
): Pick<ModelFacts, 'keys' | 'lists' | 'links'> {
  const tells: Tells = (each, property) => published.has(each) && !each.compiled.hidden.has(property)
  const relations = [...Model.compiled.relations.values()].filter(({ isResolved, embedded }) => isResolved && !embedded)
  return {
    keys: relations.flatMap(relation => keyFacts(relation, published, tells)),
    lists: relations.flatMap(relation => listFacts(relation, tells)),
    links: relations.flatMap(relation => linkFacts(relation, tells))
  }
}

function keyFacts (relation: Relation, published: ReadonlySet<ModelClass>, tells: Tells): KeyFacts[] {
  const { name, type, model, joinKeys: [key = '', discriminator], definition: { primaryKey } } = relation
  if (!relation.holdsKey || [key, discriminator ?? key].some(each => !tells(model, each))) {
    return []
  }
  const single = relation.target()
  const others = single === undefined ? [...published] : [single]
  const to = others.flatMap(other => {
    const target = type === 'referencesMany' ? primaryKey : relation.reference(other)?.targetProperty
    return target !== undefined && tells(other, target) ? [{ model: other.modelName, target }] : []
  })
  return to.length === 0
    ? []
    : [{ name, key, many: relation.multiple, ...(discriminator === undefined ? {} : { discriminator }), to }]
}

function listFacts (relation: Relation, tells: Tells): ListFacts[] {
  const reference = relation.type === 'belongsTo' ? undefined : relation.reference()
  if (reference === undefined) return []
  const { holder, property, target, targetProperty, only } = reference
  const isDisclosable = [property, ...Object.keys(only)].every(each => tells(holder, each)) &&
    tells(target, targetProperty)
  return isDisclosable
    ? [{ name: relation.name, model: holder.modelName, key: property, target: targetProperty, only }]
    : []
}

function linkFacts (relation: Relation, tells: Tells): LinkFacts[] {
  const other = relation.through() === undefined ? undefined : relation.target()
  const id = other?.compiled.id?.name
  if (other === undefined || id === undefined || !tells(other, id)) return []
  return [{ name: relation.name, model: other.modelName, target: id }]
}

/** `USER` where there is one user model; with several of them its name. */
function principalTypeOf (Model: ModelClass, registry: ModelRegistry): string | undefined {
  if (!extendsModel(Model, 'User')) return undefined
  const users = Object.values(registry.models).filter(each => each.dataSource !== null && extendsModel(each, 'User'))
  const inUse = users.filter(each => !users.some(other => other !== each && extendsModel(other, each)))
  return inUse.length < 2 ? 'USER' : Model.modelName
}
