/** In which form definitions are written, and what a folder needs for it (generators.md, CL-9). */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { ChangeSet } from '../changes/index.js'
import { packageSpecifier } from '../own-package.js'
import type { Layout } from './layout.js'
import { fileNameOf } from './names.js'

/** JSON, or a module with TypeBox. */
export type DefinitionForm = 'json' | 'ts' | 'js'

/** Modules of definitions, as `note.model.ts`. */
const extensions = ['ts', 'js', 'mjs', 'mts'] as const

/**
 * TypeScript where it is asked for, or where nothing is said and the folder has a `tsconfig.json`; an application in
 * code has nothing else.
 * @param given what `--typescript` says
 */
export const formFor = (changes: ChangeSet, { exports }: Layout, given: boolean | undefined): DefinitionForm =>
  exports !== undefined || (given ?? changes.has('tsconfig.json')) ? 'ts' : 'json'

/** The module that defines a model; undefined where there is none. */
export const definitionModuleOf = (changes: ChangeSet, layout: Layout, model: string): string | undefined =>
  [layout.commonModels, layout.serverModels]
    .flatMap(folder => extensions.map(extension => `${folder}/${fileNameOf(model)}.model.${extension}`))
    .find(file => changes.has(file))

/**
 * The names of the models that an application in code has modules of, as far as their text says so plainly.
 *
 * ```js
 * modelsInCode(changes, layout) // ['Category', 'Note']
 * ```
 */
export function modelsInCode (changes: ChangeSet, { exports, commonModels }: Layout): string[] {
  if (exports === undefined) return []
  return readdirSync(path.join(changes.folder, commonModels))
    .filter(file => /\.model\.[mc]?[jt]s$/.test(file))
    .flatMap(file => /^[ \t]*name:[ \t]*['"]([\w-]+)['"]/m.exec(changes.read(`${commonModels}/${file}`) ?? '')?.[1] ?? [])
}

/**
 * The models that modules define, with what they extend, as far as the text of a module says so plainly: nothing of the
 * folder runs before it is written.
 */
export function basesInCode (
  changes: ChangeSet, layout: Layout, models: readonly string[]
): Map<string, string | undefined> {
  const modules = models.map(name => [name, definitionModuleOf(changes, layout, name)] as const)
  return new Map(modules.flatMap(([name, file]) => {
    if (file === undefined) return []
    const base = /^[ \t]*base:[ \t]*['"]([\w-]+)['"]/m.exec(changes.read(file) ?? '')?.[1]
    return [[name, base] as const]
  }))
}

/** The packages that modules of definitions import, among the dependencies of the folder. */
export function planImports (changes: ChangeSet, { manifest }: Layout): void {
  const { dependencies = {} } = (changes.readJson(manifest) ?? {}) as { dependencies?: Record<string, string> }
  for (const name of ['@fastback/core', '@sinclair/typebox']) {
    if (dependencies[name] === undefined) changes.setJson(manifest, ['dependencies', name], packageSpecifier(name))
  }
}

/**
 * Why what is planned cannot be tried here; undefined where it can.
 *
 * ```js
 * untriable(changes) // '@sinclair/typebox is not installed yet'
 * ```
 */
export function untriable (changes: ChangeSet): string | undefined {
  const planned = changes.changes.filter(({ after }) => after !== undefined).map(({ file }) => file)
  if (planned.some(file => /\.[mc]?ts$/.test(file)) && !runsTypeScript) {
    return `this Node.js (${process.version}) does not run TypeScript: compile it, or use 22.18 or later`
  }
  if (!planned.some(file => /\.model\.[mc]?[jt]s$/.test(file))) return undefined
  const missing = ['@fastback/core', '@sinclair/typebox'].filter(name => !isInstalled(changes.folder, name))
  return missing.length === 0 ? undefined : `${missing.join(', ')} must be installed first`
}

/** Whether this Node.js leaves types out by itself. */
export const runsTypeScript = ['strip', 'transform'].includes(String((process.features as { typescript?: unknown }).typescript))

/** Where an import finds packages: in the folder, and in those around it. */
function isInstalled (folder: string, name: string): boolean {
  if (existsSync(path.join(folder, 'node_modules', name))) return true
  const outer = path.dirname(folder)
  return outer !== folder && isInstalled(outer, name)
}
