/**
 * Model definitions (`note.json`, or `note.model.ts` that exports one; with `note.js` beside it) in the order in which
 * they must be defined.
 */
import { existsSync, readdirSync } from 'node:fs'
import { types } from 'node:util'
import path from 'node:path'
import type { ModelDefinitionInput } from '@fastback/core'
import { flattenDefinition } from '@fastback/core/remote'
import { InvalidConfigError } from '../errors.js'
import { readJson } from './config-file.js'
import type { Folder } from './folder.js'
import { isRecord } from './is-record.js'
import type { ModelConfigs } from './model-config.js'
import { classify } from './names.js'
import { codeFileOf, loadFile } from './module.js'
import { definitionModules, scriptNames, withoutExtension } from './scripts.js'
import type { Steps } from '../steps.js'

/** One model definition of the folder. */
export interface ModelSource {
  readonly name: string
  /** The definition's file, for messages (`common/models/note.json`, `common/models/note.model.ts`). */
  readonly source: string
  readonly definition: ModelDefinitionInput
  /** Its absolute path without extension: code with `function (Model)` may stand beside it. */
  readonly base: string
}

/** A definition that takes part in the application. */
export interface NeededModel extends ModelSource {
  /** Whether model-config.json names it or a model that extends it; the others are here as related models only. */
  readonly named: boolean
}

/**
 * Whether a source names LoopBack's own models: `loopback/common/models`, or a path to that folder where a LoopBack is
 * installed.
 */
export function isBuiltinSource (folder: Folder, source: string): boolean {
  if (source.startsWith('loopback/')) return true
  const dir = folder.find(source)
  if (dir === undefined || !dir.replaceAll('\\', '/').endsWith('/common/models')) return false
  const manifest = path.join(dir, '../../package.json')
  return existsSync(manifest) && (readJson(folder, manifest) as { name?: unknown }).name === 'loopback'
}

/**
 * Reads every definition of the folders named. Folders that are not there are left out, and those of built-in models,
 * which need no files.
 * @throws FBK_BOOT_INVALID_JSON, FBK_BOOT_INVALID_CONFIG, FBK_BOOT_SCRIPT, FBK_BOOT_TYPESCRIPT
 */
export function * readModels (folder: Folder, sources: readonly string[]): Steps<Map<string, ModelSource>> {
  const found = new Map<string, ModelSource>()
  for (const source of sources) {
    const dir = isBuiltinSource(folder, source) ? undefined : folder.find(source)
    if (dir === undefined) continue
    for (const file of readdirSync(dir).sort()) {
      if (file.startsWith('_') || path.extname(file) !== '.json') continue
      const model = readModel(folder, path.join(dir, file))
      found.set(model.name, model)
    }
    for (const file of definitionModules(dir)) {
      const model = yield * loadModel(folder, file)
      const other = found.get(model.name)
      if (other !== undefined && path.dirname(other.base) === path.dirname(model.base)) {
        throw new InvalidConfigError(model.source, `the model "${model.name}" has another definition, ${other.source}`)
      }
      found.set(model.name, model)
    }
  }
  return found
}

/** The definition that a module exports: as default, or under whatever name. */
function * loadModel (folder: Folder, fileWithoutExtension: string): Steps<ModelSource> {
  const file = codeFileOf(folder, fileWithoutExtension) as string
  const source = folder.name(file)
  const exported = yield * loadFile(folder, file)
  const exports = isDefinition(exported) ? [exported] : isRecord(exported) ? Object.values(exported) : []
  const held = exports.filter(isDefinition)
  const [written, ...others] = new Set(held)
  if (written === undefined || others.length > 0) {
    throw new InvalidConfigError(source, 'must export one definition: export const Note = defineModel({ name: "Note" })')
  }
  const base = withoutExtension(fileWithoutExtension)
  return { name: written.name, source, definition: flattenDefinition(written, source), base }
}

const isDefinition = (value: unknown): value is ModelDefinitionInput =>
  isRecord(value) && !types.isModuleNamespaceObject(value) && typeof value.name === 'string' && value.name !== ''

function readModel (folder: Folder, file: string): ModelSource {
  const source = folder.name(file)
  const written = readJson(folder, file)
  if (!isRecord(written)) throw new InvalidConfigError(source, 'a model definition must be an object')
  const base = file.slice(0, -'.json'.length)
  const { name = classify(path.basename(base)) } = written
  if (typeof name !== 'string' || name === '') throw new InvalidConfigError(source, '"name" must be text')
  return { name, source, definition: flattenDefinition({ ...written, name }, source), base }
}

/** The model that a definition extends, as written. */
export function baseOf (definition: ModelDefinitionInput): string | undefined {
  const { base = definition.super } = flattenDefinition(definition)
  // In code a definition stands for the model of its name.
  const named = isRecord(base) ? base.name : base
  return typeof named === 'string' ? named : undefined
}

/** Models that a definition names in its relations. */
export function relatedTo (definition: ModelDefinitionInput): Array<{ relation: string, model: string }> {
  return Object.entries(flattenDefinition(definition).relations ?? {}).flatMap(([relation, written]) => {
    const { model, through } = (written ?? {}) as { model?: unknown, through?: unknown }
    const names = [model, through].filter((name): name is string => typeof name === 'string' && name !== '')
    return names.map(name => ({ relation, model: name }))
  })
}

/**
 * The definitions that an application needs, base models before those that extend them: the models named, their bases,
 * and models that a needed one is related to.
 */
export function neededModels (found: ReadonlyMap<string, ModelSource>, names: Iterable<string>): NeededModel[] {
  const ordered = new Map<string, NeededModel>()
  const visiting = new Set<string>()
  const related: string[] = []
  const visit = (name: string, named: boolean): void => {
    const model = found.get(name)
    if (model === undefined || ordered.has(name)) return
    // A circle of bases is reported when the first of them is defined: its base is unknown then.
    if (visiting.has(name)) return
    visiting.add(name)
    const base = baseOf(model.definition)
    if (base !== undefined) visit(base, named)
    ordered.set(name, { ...model, named })
    related.push(...relatedTo(model.definition).map(each => each.model))
  }
  for (const name of names) visit(name, true)
  for (let name = related.shift(); name !== undefined; name = related.shift()) visit(name, false)
  return [...ordered.values()]
}

/** What to say of model files that take no part: a definition that nothing names, code without a definition. */
export function unreadModels (
  folder: Folder,
  { file, sources }: Pick<ModelConfigs, 'file' | 'sources'>,
  found: ReadonlyMap<string, ModelSource>,
  needed: readonly ModelSource[]
): string[] {
  const used = new Set(needed.map(({ name }) => name))
  const unnamed = [...found.values()]
    .filter(({ name }) => !used.has(name))
    .map(({ name, source }) => `${source}: the model "${name}" is not loaded, because ${file} does not name it`)
  const dirs = sources.filter(source => !isBuiltinSource(folder, source)).map(source => folder.find(source))
  const modules = dirs.flatMap(definitionModules)
  const alone = dirs
    .flatMap(scriptNames)
    .filter(base => !existsSync(`${base}.json`) && !modules.includes(base) && !modules.includes(`${base}.model`))
    .map(
      base =>
        `${folder.name(base)}: this code is not loaded, because there is no definition ${path.basename(base)}.json beside it`
    )
  return [...unnamed, ...new Set(alone)]
}
