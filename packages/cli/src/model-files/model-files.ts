/** Definitions as files of an application folder (generators.md, GE-M1 to GE-M3; discovery.md, DW-1). */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { jsonText, type ChangeSet } from '../changes/index.js'
import { planImports, type DefinitionForm } from './definition-files.js'
import { identifier } from '../source-text.js'
import { isModuleFolder, type Layout } from './layout.js'
import { fileNameOf } from './names.js'
import { definitionModule } from './typebox/index.js'

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
  /** Default: JSON. */
  readonly form?: DefinitionForm | undefined
  /** Of a module: what the model is, for the comment above it. Default: its description. */
  readonly about?: string | undefined
  /** Of a module: whether null is among the values of an optional property. Default: of all. */
  readonly mayBeNull?: ((property: string) => boolean) | undefined
  /** Of a module: its methods get a `run` that answers 501. Default: false. */
  readonly areUnwritten?: boolean | undefined
}

/**
 * Plans the files of a new model: definition, with one in JSON a script, and the entry in `model-config.json`; in an
 * application in code the definition and its line in the module that exports all.
 * @returns the file of the definition
 */
export function planModel (changes: ChangeSet, layout: Layout, model: NewModel): string {
  const { definition, dataSource, isPublic, form = 'json' } = model
  const file = definitionFile(layout, model)
  changes.write(file, definitionText(model, layout))
  if (form !== 'json') planImports(changes, layout)
  else {
    const script = file.replace(/json$/, 'js')
    if (!changes.has(script)) changes.write(script, scriptText(definition.name, isModuleFolder(changes, layout)))
  }
  if (layout.exports !== undefined) planExport(changes, layout.exports, file)
  else changes.setJson(layout.modelConfig, [definition.name], { dataSource, public: isPublic })
  return file
}

/** One line for each module: definitions that are exported are defined. */
function planExport (changes: ChangeSet, exports: string, file: string): void {
  const line = `export * from './${path.posix.relative(path.posix.dirname(exports), file)}'`
  const text = changes.read(exports) ?? ''
  if (text.split(/\r?\n/).includes(line)) return
  changes.write(exports, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`)
}

/** Where the definition of a new model goes. */
export const definitionFile = (
  layout: Layout, { definition, isServer = false, form = 'json' }: Pick<NewModel, 'definition' | 'isServer' | 'form'>
): string =>
  `${isServer ? layout.serverModels : layout.commonModels}/${fileNameOf(definition.name)}${form === 'json' ? '.json' : `.model.${form}`}`

/** What the file of a new definition says. */
export const definitionText = (
  { definition, form = 'json', ...rest }: NewModel, { exports }: Pick<Layout, 'exports'> = {}
): string => form === 'json'
  ? jsonText(inOrder(definition))
  : definitionModule({
    ...rest, definition: inOrder(definition) as typeof definition, language: form, isTyped: exports !== undefined
  }).text

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
  const parameter = identifier(model).replace(/^[a-z]/, letter => letter.toUpperCase())
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
