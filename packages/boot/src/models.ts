/** Defines and configures the models of a folder. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { nearest } from '@fastback/core/remote'
import type { Application } from './app/application.js'
import { InvalidConfigError, naming, UnknownConfiguredModelError } from './errors.js'
import type { BootExtension, BuiltinModel } from '@fastback/core'
import type { Folder } from './load/folder.js'
import { findMixins, loadMixins } from './load/mixins.js'
import type { ModelConfigs } from './load/model-config.js'
import { baseOf, neededModels, readModels, relatedTo, unreadModels, type ModelSource } from './load/models.js'
import { codeBeside, loadFile, scriptError } from './load/module.js'
import { settled, type Steps } from './steps.js'

/** Finds models by name; a built-in one is defined when it is first asked for, after those it extends. */
export class ModelLookup {
  readonly #builtins: ReadonlyMap<string, BuiltinModel>

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

  find (name: string): ModelClass | undefined {
    const found = this.registry.findModel(name)
    const builtin = found === undefined ? this.#builtins.get(name) : undefined
    if (builtin === undefined) return found
    const base = baseOf(builtin.definition)
    if (base !== undefined) this.find(base)
    const Model = this.registry.defineModel(builtin.definition)
    builtin.setUp?.(Model)
    for (const { model } of relatedTo(builtin.definition)) this.find(model)
    return Model
  }
}

/**
 * Reads, defines and configures all models: mixins first, then definitions in the order of inheritance, each followed
 * by its script, then the entries of model-config.json.
 * @throws FBK_CORE_INVALID_DEFINITION, FBK_CORE_UNKNOWN_BASE, FBK_CORE_UNDEFINED_MIXIN, FBK_CORE_UNKNOWN_DATA_SOURCE,
 *   FBK_BOOT_UNKNOWN_MODEL, FBK_BOOT_SCRIPT
 */
export function * defineModels (
  folder: Folder, configs: ModelConfigs, lookup: ModelLookup, app: Application, warn: (message: string) => void
): Steps<void> {
  const { registry } = lookup
  const sources = readModels(folder, configs.sources)
  const needed = neededModels(sources, configs.models.keys())
  yield * defineMixins(folder, configs, needed, registry)
  for (const source of needed) yield * defineModel(folder, source, lookup)
  defineRelated(needed, lookup)
  for (const line of unreadModels(folder, configs, sources, needed)) warn(line)
  for (const [name, config] of configs.models) {
    const Model = lookup.find(name)
    if (Model === undefined) {
      throw new UnknownConfiguredModelError(configs.file, name, nearest(name, [...sources.keys(), ...lookup.names]))
    }
    if (config.dataSource === undefined) {
      warn(`${configs.file}: the model "${name}" has no "dataSource"; null says that it is meant to have none`)
    }
    naming(`${configs.file}: model "${name}"`, () => app.model(Model, config))
  }
}

function * defineMixins (
  folder: Folder,
  configs: ModelConfigs,
  models: readonly ModelSource[],
  registry: ModelRegistry
): Steps<void> {
  const wanted = models.flatMap(({ definition }) => Object.keys(definition.mixins ?? {}))
  if (wanted.length === 0) return
  for (const { name, mixin } of yield * loadMixins(folder, findMixins(folder, configs.mixins), wanted)) {
    registry.defineMixin(name, mixin)
  }
}

function * defineModel (
  folder: Folder,
  { definition, source, base: beside }: ModelSource,
  lookup: ModelLookup
): Steps<void> {
  const base = baseOf(definition)
  if (base !== undefined) lookup.find(base)
  // A package of the folder may have defined its models in code when it was loaded, and be among the sources as well.
  const replaces = !lookup.isBuiltin(definition.name)
  const Model = naming(source, () => lookup.registry.defineModel(definition, { source, replaces }))
  const script = codeBeside(folder, beside)
  if (script === undefined) return
  const customise = yield * loadFile(folder, script)
  if (typeof customise !== 'function') {
    // A file that exports nothing has done its work by being loaded; anything else is a mistake.
    if (
      customise === undefined ||
      (typeof customise === 'object' && customise !== null && Object.keys(customise).length === 0)
    ) { return }
    throw new InvalidConfigError(folder.name(script), 'a model script must export a function (Model)')
  }
  try {
    yield * settled(customise(Model))
  } catch (error) {
    throw scriptError(folder, script, error)
  }
}

/** Built-in models that relations lead to; the registry says which of the others are not there. */
function defineRelated (models: readonly ModelSource[], lookup: ModelLookup): void {
  for (const { definition } of models) for (const { model } of relatedTo(definition)) lookup.find(model)
}
