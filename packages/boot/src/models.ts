/** Defines and configures the models of a folder. */
import type { ModelRegistry } from '@fastback/core'
import { nearest } from '@fastback/core/remote'
import type { Application } from './app/application.js'
import { InvalidConfigError, naming, UnknownConfiguredModelError } from './errors.js'
import type { ModelLookup } from './model-lookup.js'
import type { Folder } from './load/folder.js'
import { findMixins, loadMixins } from './load/mixins.js'
import type { ModelConfigs } from './load/model-config.js'
import {
  isBuiltinSource, baseOf, neededModels, readModels, relatedTo, unreadModels, type ModelSource, type NeededModel
} from './load/models.js'
import { codeFileOf, loadFile, scriptError } from './load/module.js'
import { settled, type Steps } from './steps.js'

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
  const sources = yield * readModels(folder, configs.sources)
  if (configs.sources.some(source => isBuiltinSource(folder, source))) lookup.showsBuiltins = true
  const needed = neededModels(sources, configs.models.keys())
  yield * defineMixins(folder, configs, needed, registry)
  lookup.defineBuiltins(new Set([...configs.models.keys()].filter(name => !sources.has(name))))
  for (const source of needed) {
    const missing = missingBase(source, lookup)
    if (missing === undefined) yield * defineModel(folder, source, lookup)
    else warn(`${source.source}: the model "${source.name}" is left out, because it extends "${missing}", which is not defined`)
  }
  defineRelated(needed, lookup)
  for (const line of unreadModels(folder, configs, sources, needed)) warn(line)
  for (const [name, config] of configs.models) {
    const Model = lookup.find(name)
    if (Model === undefined) {
      const meant = nearest(name, [...sources.keys(), ...lookup.names])
      throw new UnknownConfiguredModelError(configs.file, name, configs.sources.join(', ') || 'no folder', meant)
    }
    if (config.dataSource === undefined) {
      warn(`${configs.file}: the model "${name}" has no "dataSource"; null says that it is meant to have none`)
    }
    naming(`${configs.file}: model "${name}"`, () => app.model(Model, config))
  }
}

/**
 * The base that a model lacks which is here only because others are related to it. LoopBack does not read such a
 * definition at all, so there a base that is not defined stops nothing; of models that are named it stops the start.
 */
function missingBase ({ named, definition }: NeededModel, lookup: ModelLookup): string | undefined {
  const base = named ? undefined : baseOf(definition)
  return base === undefined || lookup.find(base) !== undefined ? undefined : base
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
  // A package that Fastback stands for lists among its files the models that stand there already.
  if (!replaces && lookup.registry.findModel(definition.name) !== undefined && isOfPackage(beside)) return
  const Model = naming(source, () => lookup.registry.defineModel(definition, { source, replaces }))
  const script = codeFileOf(folder, beside)
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

/** Whether a file is of an installed package. */
const isOfPackage = (file: string): boolean => /[\\/]node_modules[\\/]/.test(file)

/** Built-in models that relations lead to; the registry says which of the others are not there. */
function defineRelated (models: readonly ModelSource[], lookup: ModelLookup): void {
  for (const { definition } of models) for (const { model } of relatedTo(definition)) lookup.find(model)
}
