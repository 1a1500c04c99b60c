/**
 * The JSON files of a folder as they are written: where a key stands, and what was there before `${NAME}` was filled
 * in.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, getNodeValue, parseTree, type JSONPath, type Node } from 'jsonc-parser'
import type { ModelClass } from '@fastback/core'
import { lineageOf, sourceOf } from '@fastback/core/remote'
import type { Folder } from '../load/folder.js'
import { codeExtensions } from '../load/module.js'
import type { FindingLocation } from './finding.js'

export const configurationNames = ['config', 'datasources', 'model-config', 'middleware', 'component-config'] as const
export type ConfigurationName = typeof configurationNames[number]

/** A JSON file, or what code says in its place. */
export interface Source {
  /** Relative to the application folder. */
  readonly file: string
  /** As written. */
  readonly value: unknown
  readonly tree: Node | undefined
  readonly text: string
}

/** What was written of an application, and where. */
export interface Sources {
  /** Where access control is switched on, as far as one looks for it; how it is said that nothing does; what would. */
  readonly switchesAccessControlOn: { readonly place: FindingLocation, readonly missing: string, readonly fix: string }
  /** What counts of a configuration; later ones lie over earlier ones. */
  of (name: ConfigurationName): Source[]
  /** Where a key of a configuration stands, or would stand. */
  config (name: ConfigurationName, keys?: JSONPath): FindingLocation
  /** Where a setting of a model stands, or would stand. */
  model (Model: ModelClass, keys: JSONPath): FindingLocation
  /** The definition of a model of the application's own. */
  definition (Model: ModelClass): Source | undefined
}

export class FolderSources implements Sources {
  readonly switchesAccessControlOn = {
    place: { file: 'server/boot/authentication.js', key: '', line: undefined },
    missing: 'no boot script calls enableAuth()',
    fix: 'export default app => { app.enableAuth() }'
  }

  readonly #read = new Map<string, Source>()

  constructor (readonly folder: Folder, readonly env: string) {}

  /** The JSON files of a configuration that count in the environment; later ones lie over earlier ones. */
  of (name: ConfigurationName): Source[] {
    return [`${name}.json`, `${name}.local.json`, `${name}.${this.env}.json`]
      .map(file => this.folder.path(file))
      .filter(file => existsSync(file))
      .map(file => this.read(file))
  }

  /** @param file absolute */
  read (file: string): Source {
    let source = this.#read.get(file)
    if (source === undefined) {
      const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
      const tree = parseTree(text)
      source = {
        file: this.folder.name(file),
        text,
        tree,
        value: tree === undefined ? undefined : (getNodeValue(tree) as unknown)
      }
      this.#read.set(file, source)
    }
    return source
  }

  /** Where a key of a configuration stands: in the last file that has it; else where it would stand. */
  config (name: ConfigurationName, keys: JSONPath = []): FindingLocation {
    const sources = this.of(name)
    const holder = sources.findLast(({ tree }) => tree !== undefined && findNodeAtLocation(tree, keys) !== undefined)
    if (holder !== undefined) return locationIn(holder, keys)
    const main = sources[0]
    if (main !== undefined) return locationIn(main, keys)
    const code = codeExtensions.map(extension => this.folder.path(name + extension)).find(file => existsSync(file))
    return { file: this.folder.name(code ?? this.folder.path(`${name}.json`)), key: keyOf(keys), line: undefined }
  }

  /**
   * Where a setting of a model stands: under `options` of its entry in model-config.json, else in its definition or
   * that of a base, else where it would be.
   */
  model (Model: ModelClass, keys: JSONPath): FindingLocation {
    const inOptions = [Model.modelName, 'options', ...keys]
    if (
      this.of('model-config').some(
        ({ tree }) => tree !== undefined && findNodeAtLocation(tree, inOptions) !== undefined
      )
    ) { return this.config('model-config', inOptions) }
    const definitions = lineageOf(Model).toReversed().flatMap(each => this.definition(each) ?? [])
    const holder =
      definitions.find(({ tree }) => tree !== undefined && findNodeAtLocation(tree, keys) !== undefined) ??
      this.definition(Model)
    return holder === undefined ? this.config('model-config', inOptions) : locationIn(holder, keys)
  }

  /** The definition's file of a model of the folder's own. */
  definition (Model: ModelClass): Source | undefined {
    const source = sourceOf(Model)
    const file = source === undefined ? undefined : path.resolve(this.folder.root, source)
    if (file === undefined || !existsSync(file)) return undefined
    return file.endsWith('.json') ? this.read(file) : sourceInCode(Model)
  }
}

/** What code says of a model: its own rows, without those that it inherits. */
export function sourceInCode (Model: ModelClass): Source {
  const inherited = rowsOf(lineageOf(Model).at(-2))
  const acls = rowsOf(Model).filter(row => !inherited.some(other => isDeepStrictEqual(row, other)))
  return { file: sourceOf(Model) ?? `definition of ${Model.modelName}`, value: { acls }, tree: undefined, text: '' }
}

const rowsOf = (Model: ModelClass | undefined): unknown[] => (Model?.settings.acls ?? []) as unknown[]

export function locationIn ({ file, tree, text }: Source, keys: JSONPath): FindingLocation {
  let node: Node | undefined
  for (let length = keys.length; node === undefined && length >= 0; length--) {
    node = tree === undefined ? undefined : findNodeAtLocation(tree, keys.slice(0, length))
  }
  // The key, not the value, which may begin further down.
  const at = node?.parent?.type === 'property' ? node.parent : node
  return { file, key: keyOf(keys), line: at === undefined ? undefined : text.slice(0, at.offset).split('\n').length }
}

/** `["Note", "acls", 2]` → `Note.acls[2]`. */
export const keyOf = (keys: JSONPath): string =>
  keys
    .map((part, i) =>
      typeof part === 'number'
        ? `[${part}]`
        : /^[\w$-]+$/.test(part)
          ? `${i === 0 ? '' : '.'}${part}`
          : `[${JSON.stringify(part)}]`
    )
    .join('')
