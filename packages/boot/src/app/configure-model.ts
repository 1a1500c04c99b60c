/** Puts an entry of model-config.json on a model. */
import { isDeepStrictEqual } from 'node:util'
import type { AclDefinition, DataSource, ModelClass, ModelRegistry, RemoteMethodOptions } from '@fastback/core'
import { entryFaults, OWN_METHOD, relationAcls, rulesToExtend, strictnessOf, reportFaults } from '@fastback/core/remote'
import { checkEntry, settingsOf, type ModelConfig } from '../load/model-config.js'

/** An entry whose data source may also be the object itself, as boot scripts have it. */
export type Configuration = Omit<ModelConfig, 'dataSource'> & { readonly dataSource?: unknown }

/**
 * Relations are merged by name, access rules replace those for the same principal and method, `options` override
 * settings, methods are added to this model and none that extends it; then the model is attached to its data source.
 * @throws FBK_BOOT_MODEL_CONFIG, FBK_BOOT_INVALID_CONFIG, FBK_CORE_UNKNOWN_DATA_SOURCE
 */
export function configureModel (registry: ModelRegistry, Model: ModelClass, config: Configuration): void {
  const place = `configuration of the model "${Model.modelName}"`
  checkEntry(Model.modelName, config, place)
  const { log, settings: { modelDefinitions } } = registry
  reportFaults(entryFaults(config), place, strictnessOf(modelDefinitions), log)
  const { settings } = Model
  const relations = settings.relations as Record<string, object>
  const rows = [...(config.acls ?? []) as AclDefinition[]]
  for (const [name, relation] of Object.entries(config.relations ?? {})) {
    relations[name] = { ...relations[name], ...byName(relation) }
    rows.push(...relationAcls(name, relation, `model "${Model.modelName}", relation "${name}"`))
  }
  if (rows.length > 0) {
    const acls = rulesToExtend(Model, place)
    for (const row of rows) addAcl(acls, row)
  }
  for (const [name, method] of Object.entries(config.methods ?? {})) {
    Model.remoteMethod(name, { ...method as RemoteMethodOptions, [OWN_METHOD]: true })
  }
  const extending = config.methods === undefined
    ? []
    : registry.modelsExtending(Model).map(({ modelName }) => modelName)
  if (extending.length > 0) {
    const others = extending.join(', ')
    log.info({ model: Model.modelName, extending },
      `${place}: its methods are this model's alone; ${others} do not have them. What they shall have, too, stands in the definition`)
  }
  Object.defineProperty(Model, 'config', { value: config, configurable: true, writable: true })
  const { scopes, ...options } = settingsOf(config as ModelConfig, key => {
    log.warn({ model: Model.modelName, key }, `${place}: "${key}" counts as if it stood under "options"; put it there`)
  })
  for (const [name, scope] of Object.entries(scopes ?? {})) {
    const declare = Model.scope as (name: string, scope: unknown) => void
    declare.call(Model, name, scope)
  }
  registry.attach(Model, dataSourceOf(config.dataSource, Model), { public: config.public !== false, settings: options })
}

/** Relations may name models by their classes. */
const byName = (relation: object): object =>
  Object.fromEntries(Object.entries(relation).map(([key, value]: [string, unknown]) =>
    [key, typeof value === 'function' && 'modelName' in value ? value.modelName : value]))

/** Where nothing is said, the model stays where it is. */
const dataSourceOf = (given: unknown, Model: ModelClass): string | DataSource | null =>
  given === undefined ? Model.dataSource : given === false ? null : given as string | DataSource | null

/** What makes two rules about the same thing. */
const sameIn = ['property', 'accessType', 'principalType', 'principalId'] as const

function addAcl (acls: AclDefinition[], acl: AclDefinition): void {
  const same = acls.findIndex(each => sameIn.every(key => isDeepStrictEqual(each[key], acl[key])))
  if (same === -1) acls.push(acl)
  else acls[same] = acl
}
