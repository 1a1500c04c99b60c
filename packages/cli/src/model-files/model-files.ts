/** Definitions as files of an application folder (generators.md, GE-M1 to GE-M3; discovery.md, DW-1). */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { jsonText, type ChangeSet } from '../changes/index.js'
import { isModuleFolder, type Layout } from './layout.js'
import { fileNameOf } from './names.js'

/** The keys of a definition in the order in which LoopBack's generator writes them. */
const keyOrder = [
  '$schema', 'name', 'description', 'plural', 'base', 'strict', 'public', 'idInjection', 'forceId', 'scopes', 'indexes',
  'options', 'properties', 'validations', 'relations', 'acls', 'methods'
]
/** Those that stand in every file. */
const always: Readonly<Record<string, () => unknown>> = {
  properties: () => ({}), validations: () => [], relations: () => ({}), acls: () => [], methods: () => ({})
}

export interface NewModel {
  readonly definition: Readonly<Record<string, unknown>> & { readonly name: string }
  /** Null: none. */
  readonly dataSource: string | null
  readonly isPublic: boolean
  /** In the server's own models. Default: false. */
  readonly isServer?: boolean | undefined
}

/**
 * Plans the files of a new model: definition, script, and the entry in `model-config.json`.
 * @returns the file of the definition
 */
export function planModel (
  changes: ChangeSet, layout: Layout, { definition, dataSource, isPublic, isServer = false }: NewModel
): string {
  const base = path.posix.join(isServer ? layout.serverModels : layout.commonModels, fileNameOf(definition.name))
  changes.write(`${base}.json`, jsonText(inOrder(definition)))
  if (!changes.has(`${base}.js`)) changes.write(`${base}.js`, scriptText(definition.name, isModuleFolder(changes, layout)))
  changes.setJson(layout.modelConfig, [definition.name], { dataSource, public: isPublic })
  return `${base}.json`
}

/** A definition with its keys in their order; what is not known stands behind the first group. */
export function inOrder (definition: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const whole: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(always).map(([key, make]) => [key, make()])), ...definition
  }
  const others = Object.keys(whole).filter(key => !keyOrder.includes(key))
  const before = keyOrder.slice(0, keyOrder.indexOf('options'))
  const keys = [...before, ...others, ...keyOrder.slice(before.length)].filter(key => whole[key] !== undefined)
  return Object.fromEntries(keys.map(key => [key, whole[key]]))
}

/** The script beside a definition, with nothing in it yet. */
export function scriptText (model: string, isModule: boolean): string {
  const parameter = model.replace(/[^\w$]+(\w?)/g, (_, letter: string) => letter.toUpperCase()).replace(/^[a-z]/, letter => letter.toUpperCase()).replace(/^\d/, '_$&')
  return isModule
    ? `export default function (${parameter}) {\n}\n`
    : `'use strict';\n\nmodule.exports = function(${parameter}) {\n\n};\n`
}

/** The files of all definitions that a folder has, by the names of their models; planned ones count. */
export function definitionFiles (changes: ChangeSet, layout: Layout): Map<string, string> {
  const found = new Map<string, string>()
  const planned = changes.changes.map(({ file }) => file)
  for (const folder of [layout.commonModels, layout.serverModels]) {
    const full = path.join(changes.folder, folder)
    const there = existsSync(full) ? readdirSync(full).map(name => `${folder}/${name}`) : []
    for (const file of new Set([...there, ...planned.filter(name => path.posix.dirname(name) === folder)])) {
      if (!file.endsWith('.json') || !changes.has(file)) continue
      const { name } = changes.readJson(file) as { name?: unknown }
      if (typeof name === 'string') found.set(name, file)
    }
  }
  return found
}
