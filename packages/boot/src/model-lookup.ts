/** Where models are found by name, built-in ones among them. */
import type { BootExtension, BuiltinModel, ModelClass, ModelRegistry } from '@fastback/core'
import { defineBuiltin } from '@fastback/core/remote'
import { baseOf, relatedTo } from './load/models.js'
import { replicationModel } from './replication.js'

/** Code that goes through all models of a registry finds LoopBack's own in this order, before any other. */
const order = [
  'KeyValueModel', 'Email', 'Application', 'AccessToken', 'User', 'RoleMapping', 'Role', 'ACL', 'Scope', 'Change',
  'Checkpoint'
]

/** Finds models by name; a built-in one is defined when it is first asked for, after those it extends. */
export class ModelLookup {
  readonly #builtins: ReadonlyMap<string, BuiltinModel>
  #isComplete = false

  /** Whether `find…` of the application shows built-in models that nothing has asked for yet. */
  showsBuiltins = true

  constructor (readonly registry: ModelRegistry, extensions: readonly BootExtension[]) {
    this.#builtins = new Map(
      extensions.flatMap(extension => extension.models ?? []).map(model => [model.definition.name, model])
    )
  }

  /** Names of all models that there are or could be. */
  get names (): string[] {
    return [...new Set([...Object.keys(this.registry.models), ...this.#builtins.keys()])]
  }

  /** Whether an extension has a model of this name; nothing takes the place of such a one. */
  isBuiltin (name: string): boolean {
    return this.#builtins.has(name)
  }

  /** A model as the application's own code may know it; built-in ones only where they are loaded. */
  known (name: string): ModelClass | undefined {
    return this.showsBuiltins ? this.find(name) : this.registry.findModel(name)
  }

  /** Defines those of the built-in models that have one of these names, in LoopBack's order. */
  defineBuiltins (names: ReadonlySet<string>): void {
    for (const name of [...order, ...this.#builtins.keys()]) {
      if (names.has(name) && this.isBuiltin(name)) this.find(name)
    }
  }

  /** Defines all built-in models, for code that reads the list of models. */
  defineAll (): void {
    if (this.#isComplete) return
    this.#isComplete = true
    this.defineBuiltins(new Set(this.#builtins.keys()))
  }

  find (name: string): ModelClass | undefined {
    const found = this.registry.findModel(name)
    const builtin = found === undefined ? this.#builtins.get(name) ?? replicationModel(name) : undefined
    if (builtin === undefined) return found
    const base = baseOf(builtin.definition)
    if (base !== undefined) this.find(base)
    const Model = defineBuiltin(this.registry, builtin)
    for (const { model } of relatedTo(builtin.definition)) this.find(model)
    return Model
  }
}
