/** What the models of an application are made of: `definitions.json`. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { definitionSourcesIn, isBuiltin, isPublic, rulesOf, typeNames, type WrittenSources } from '@fastback/core/remote'
import { routedMethods, type RoutedMethod } from '@fastback/rest/published'
import type { Definitions, ModelDefinitionView } from '@fastback/ui/contracts'
import { indexView, methodViews, propertyView, relationView } from './parts.js'
import { grouped } from './grouped.js'
import { shownSettings } from './settings.js'

/** Models that have no rows of their own: others extend them. */
const roots = ['Model', 'PersistedModel', 'KeyValueModel']

export async function definitionsOf (registry: ModelRegistry): Promise<Definitions> {
  const sources = await definitionSourcesIn(registry).of()
  const routed = grouped(routedMethods(registry), ({ method }) => method.model)
  const models = Object.values(registry.models).filter(({ modelName }) => !roots.includes(modelName))
    .sort((a, b) => a.modelName < b.modelName ? -1 : 1)
  const views = models.map(Model => modelView(Model, routed.get(Model) ?? [], sources))
  return {
    models: views,
    bases: [...new Set([...roots.slice(1), ...views.map(({ name }) => name)])],
    types: [...typeNames],
    dataSources: Object.entries(registry.dataSources).map(([name, dataSource]) =>
      ({ name, connector: connectorOf(dataSource) ?? 'other' }))
  }
}

function modelView (Model: ModelClass, routed: readonly RoutedMethod[], sources: WrittenSources): ModelDefinitionView {
  const { modelName, pluralModelName, compiled, definition, dataSource, base, settings } = Model
  const path = routed.map(each => each.path).sort((a, b) => a.length - b.length)[0]
  const source = sources.model(Model)
  const connector = dataSource === null ? undefined : connectorOf(dataSource)
  const { description, mixins } = settings
  return {
    name: modelName,
    ...(base === undefined ? {} : { base: base.modelName }),
    public: isPublic(Model) === true,
    plural: pluralModelName,
    ...(path === undefined ? {} : { path }),
    ...(dataSource === null ? {} : { dataSource: dataSource.name }),
    ...(connector === undefined ? {} : { connector }),
    ...(typeof description === 'string' ? { description } : {}),
    mixins: typeof mixins === 'object' && mixins !== null ? Object.keys(mixins) : [],
    properties: compiled.properties.filter(({ internal }) => !internal).map(propertyView),
    relations: Object.keys(definition.relations).map(name => relationView(Model, name)),
    indexes: compiled.indexes.map(indexView),
    methods: methodViews(routed),
    settings: shownSettings(settings),
    rules: rulesOf(Model).length,
    ...(source === undefined ? {} : { source }),
    builtin: isBuiltin(modelName) && source === undefined
  }
}

/** By its name alone: settings of data sources have passwords. */
export function connectorOf (dataSource: NonNullable<ModelClass['dataSource']>): string | undefined {
  const { connector } = dataSource.settings
  const { name } = dataSource.connector as { readonly name?: unknown }
  const written = typeof connector === 'string' ? connector : name
  return typeof written === 'string' ? written : undefined
}
