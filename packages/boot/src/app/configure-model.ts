/** Puts an entry of model-config.json on a model. */
import type { AclDefinition, DataSource, ModelClass, ModelRegistry, RemoteMethodOptions } from '@fastback/core'
import type { ModelConfig } from '../load/model-config.js'

/** An entry whose data source may also be the object itself, as boot scripts have it. */
export type Configuration = Omit<ModelConfig, 'dataSource'> & { readonly dataSource?: unknown }

/** Settings that an entry cannot change. */
const fixed = new Set(['base', 'super', 'relations', 'acls', 'dataSource'])

/**
 * Relations are merged by name, access rules replace those for the same principal and method, `options` override settings, methods
 * are added; then the model is attached to its data source.
 * @throws FBK_CORE_UNKNOWN_DATA_SOURCE
 */
export function configureModel (registry: ModelRegistry, Model: ModelClass, config: Configuration): void {
  const { settings } = Model
  const relations = settings.relations as Record<string, object>
  for (const [name, relation] of Object.entries(config.relations ?? {})) relations[name] = { ...relations[name], ...relation }
  for (const acl of (config.acls ?? []) as AclDefinition[]) addAcl(settings.acls as AclDefinition[], acl)
  for (const [name, method] of Object.entries(config.methods ?? {})) Model.remoteMethod(name, method as RemoteMethodOptions)
  Object.defineProperty(Model, 'config', { value: config, configurable: true, writable: true })
  registry.attach(Model, dataSourceOf(config.dataSource), {
    public: config.public !== false,
    settings: Object.fromEntries(Object.entries(config.options ?? {}).filter(([key]) => !fixed.has(key)))
  })
}

const dataSourceOf = (given: unknown): string | DataSource | null => given === false ? null : (given ?? null) as string | DataSource | null

/** What makes two rules about the same thing. */
const sameIn = ['property', 'accessType', 'principalType', 'principalId'] as const

function addAcl (acls: AclDefinition[], acl: AclDefinition): void {
  const same = acls.findIndex(each => sameIn.every(key => each[key] === acl[key]))
  if (same === -1) acls.push(acl)
  else acls[same] = acl
}
