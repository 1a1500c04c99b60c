/** `fastback modernize`: definitions in TypeBox and scripts as ES modules, one model at a time. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { ChangeSet } from '../changes/index.js'
import { UsageError } from '../errors.js'
import { withApplication } from '../load-application.js'
import { definitionModule, isModuleFolder, layoutOf, planImports, type Layout } from '../model-files/index.js'
import { esModule } from './es-module.js'

export interface ModernizeOptions {
  /** Names of models: their definitions and scripts alone. Default: all, with mixins and boot scripts. */
  readonly models?: readonly string[] | undefined
  /** Definitions in TypeScript. Default: JavaScript. */
  readonly typescript?: boolean | undefined
  readonly env?: string | undefined
}

export interface Modernization {
  readonly changes: ChangeSet
  /** What was rewritten. */
  readonly files: ReadonlyArray<{ readonly before: string, readonly after: string, readonly note?: string }>
  /** What a person has to do. */
  readonly left: ReadonlyArray<{ readonly file: string, readonly line: number, readonly why: string }>
}

/**
 * Plans the new form of a folder. The application answers as before: definitions stay as open as they were, and what
 * cannot be rewritten without a change of meaning is left, and told. Nothing is written before `changes` are.
 *
 * ```js
 * const { changes, left } = await modernize('my-app', { models: ['Note'] })
 * ```
 * @param dir the application folder, which has to start
 * @throws FBK_CLI_NO_FOLDER; FBK_CLI_USAGE for a model that the folder does not define; what stops the folder
 */
export async function modernize (
  dir: string, { models, typescript, env }: ModernizeOptions = {}
): Promise<Modernization> {
  const folder = path.resolve(dir)
  const layout = layoutOf(folder)
  const plan = new Plan(new ChangeSet(folder), layout, typescript === true)
  await withApplication(folder, { env }, ({ registry }) => {
    for (const Model of chosen(registry, models)) plan.model(Model)
  })
  if (models === undefined) {
    for (const scripts of [layout.mixins, `${layout.server}/mixins`, layout.bootScripts]) plan.scriptsIn(scripts)
  }
  return plan
}

/** Models that the folder defines in JSON, or in a script beside a module. */
function chosen (registry: ModelRegistry, names: readonly string[] | undefined): ModelClass[] {
  const own = Object.values(registry.models).filter(({ definition: { source } }) => source !== undefined)
  const unknown = names?.find(name => !own.some(({ modelName }) => modelName === name))
  if (unknown !== undefined) {
    throw new UsageError(`The folder defines no model "${unknown}". It has: ${own.map(({ modelName }) => modelName).join(', ') || 'none'}.`)
  }
  return names === undefined ? own : own.filter(({ modelName }) => names.includes(modelName))
}

interface Written { readonly properties?: object, readonly strict?: unknown, readonly [key: string]: unknown }

class Plan implements Modernization {
  readonly files: Array<{ before: string, after: string, note?: string }> = []
  readonly left: Array<{ file: string, line: number, why: string }> = []
  /** Of modules in JavaScript: a folder of CommonJS needs `.mjs`. */
  readonly #extension: 'js' | 'mjs'

  constructor (readonly changes: ChangeSet, readonly layout: Layout, readonly isTypeScript: boolean) {
    this.#extension = isModuleFolder(changes, layout) ? 'js' : 'mjs'
  }

  model (Model: ModelClass): void {
    const source = String(Model.definition.source)
    if (source.endsWith('.json')) this.#definition(Model, source)
    this.#script(source.replace(/(?:\.json|\.model\.[cm]?[jt]s)$/, '.js'))
  }

  scriptsIn (folder: string): void {
    const full = path.join(this.changes.folder, folder)
    for (const name of existsSync(full) ? readdirSync(full).sort() : []) {
      if (name.endsWith('.js')) this.#script(`${folder}/${name}`)
    }
  }

  #definition ({ modelName, definition: { settings: { strict } } }: ModelClass, file: string): void {
    const { properties = {}, ...rest } = { name: modelName, ...this.changes.readJson(file) as Written }
    const hasOwn = Object.keys(properties).length > 0
    // A TypeBox object is closed: what was open says so.
    const openness = rest.strict === undefined ? { strict: strict ?? false } : {}
    const definition = hasOwn ? { ...rest, ...openness, properties } : rest
    const language = this.isTypeScript ? 'ts' : 'js'
    const { text: module, untyped } = definitionModule({ definition, language })
    const after = file.replace(/json$/, `model.${this.isTypeScript ? 'ts' : this.#extension}`)
    this.changes.remove(file)
    this.changes.write(after, module)
    planImports(this.changes, this.layout)
    const note = untyped.length === 0 ? {} : { note: `not in TypeBox, which has no word for ${untyped.join(', ')}` }
    this.files.push({ before: file, after, ...note })
  }

  #script (file: string): void {
    const text = this.changes.read(file)
    if (text === undefined || this.#extension === 'js') return
    const after = file.replace(/js$/, this.#extension)
    const found = esModule(text, path.join(this.changes.folder, after))
    if ('reason' in found) {
      this.left.push({ file, line: found.line, why: found.reason })
      return
    }
    this.changes.remove(file)
    this.changes.write(after, found.text)
    this.files.push({ before: file, after })
  }
}
