/** The models of a folder: what they are based on, and what they have of it. */
import type { JsonFile } from './json-file.js'

const persisted = new Set([
  'PersistedModel', 'User', 'AccessToken', 'Role', 'RoleMapping', 'ACL', 'Scope', 'Application', 'Change', 'Checkpoint'
])

export interface Definition { readonly name: string, readonly json: JsonFile }

export class Definitions {
  readonly all: readonly Definition[]

  constructor (models: readonly JsonFile[], readonly modelConfig: JsonFile, readonly dataSources: JsonFile) {
    this.all = models.flatMap(json => {
      const name = json.value('name')
      return typeof name === 'string' ? [{ name, json }] : []
    })
  }

  named (name: string): Definition | undefined {
    return this.all.find(each => each.name === name)
  }

  /** The model and those that it is based on, the built-in one last. */
  chain (name: string): string[] {
    const found = [name]
    for (let at = this.named(name); at !== undefined; at = this.named(found.at(-1) as string)) {
      const base = at.json.value('base') ?? at.json.value('options', 'base') ?? 'PersistedModel'
      if (typeof base !== 'string' || found.includes(base)) break
      found.push(base)
    }
    return found
  }

  isBasedOn (name: string, base: string): boolean {
    return this.chain(name).includes(base)
  }

  isPersisted (name: string): boolean {
    return persisted.has(this.chain(name).at(-1) as string)
  }

  /** Whether a model has a data source. */
  isUsed (name: string): boolean {
    return typeof this.modelConfig.value(name, 'dataSource') === 'string'
  }

  isPublic (name: string): boolean {
    return this.isUsed(name) && this.modelConfig.value(name, 'public') !== false
  }

  /** A setting of the model, inherited ones included. */
  setting (name: string, key: string): unknown {
    const configured = this.modelConfig.value(name, 'options', key) ?? this.modelConfig.value(name, key)
    return configured ?? this.chain(name).map(each => this.named(each)?.json)
      .map(json => json?.value(key) ?? json?.value('options', key)).find(value => value !== undefined)
  }

  hasProperty (name: string, property: string): boolean {
    return this.chain(name).some(each => this.named(each)?.json.has('properties', property) === true)
  }

  /** Whether the data source makes the ids: there is no id property, or it says `generated`. */
  hasGeneratedId (name: string): boolean {
    const own = this.chain(name).flatMap(each => {
      const json = this.named(each)?.json
      return (json?.keys('properties') ?? []).map(key => json?.value('properties', key) as Record<string, unknown> | null)
    }).filter(property => typeof property === 'object' && property !== null && Boolean(property.id))
    return own.every(property => property?.generated === true) &&
      (own.length > 0 || this.setting(name, 'idInjection') !== false)
  }

  /** The connector of a model's data source, by its short name. */
  connector (name: string): string | undefined {
    const dataSource = this.modelConfig.value(name, 'dataSource')
    const connector = typeof dataSource === 'string' ? this.dataSources.value(dataSource, 'connector') : undefined
    return typeof connector === 'string' ? connector.replace('loopback-connector-', '') : undefined
  }
}
