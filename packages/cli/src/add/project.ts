/** An application folder, as generators look at it. */
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { JSONPath } from 'jsonc-parser'
import { ChangeSet } from '../changes/index.js'
import { DefinedInCodeError, ExistsError, UnknownModelError } from '../errors.js'
import {
  basesInCode, definitionFiles, definitionModuleOf, layoutOf, modelLayoutOf, modelsInCode, type Layout
} from '../model-files/index.js'

export interface Project {
  readonly folder: string
  readonly layout: Layout
  readonly changes: ChangeSet
  /** The files of the folder's own definitions, by the names of their models. */
  readonly models: ReadonlyMap<string, string>
  /** The entries of `model-config.json`; of an application in code one for each model, which says nothing. */
  readonly config: Readonly<Record<string, ModelEntry>>
  /** The entries of `datasources.json`. */
  readonly dataSources: Readonly<Record<string, DataSourceEntry>>
}

export interface ModelEntry { readonly dataSource?: string | null, readonly public?: boolean }
export interface DataSourceEntry { readonly connector?: string }

/** What an addition has planned. */
export interface Addition {
  /** Nothing is written before they are: `writeFiles(changes.folder, changes.changes)`, or the command. */
  readonly changes: ChangeSet
  /** What it comes to, one line each. */
  readonly notes?: readonly string[]
  /** One line each. */
  readonly warnings: readonly string[]
  /** What to do next, one line each. */
  readonly next: readonly string[]
  /** What is tried when all is written, beside the start of the application. */
  readonly check?: () => Promise<void>
}

/** Whether what stands in the way is replaced. */
export interface Replacing {
  /** Default: false, an error. */
  readonly force?: boolean | undefined
}

/**
 * @param inCode whether an application in code will do, for what writes models alone
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_CODE_APPLICATION, FBK_CLI_NOT_JSON
 */
export function openProject (dir: string, { inCode = false }: { readonly inCode?: boolean } = {}): Project {
  const folder = path.resolve(dir)
  const layout = inCode ? modelLayoutOf(folder) : layoutOf(folder)
  const changes = new ChangeSet(folder)
  return {
    folder,
    layout,
    changes,
    models: definitionFiles(changes, layout),
    config: layout.exports === undefined
      ? entriesOf(changes, layout.modelConfig)
      : Object.fromEntries(modelsInCode(changes, layout).map(name => [name, {}])),
    dataSources: entriesOf(changes, layout.dataSources)
  }
}

const entriesOf = <Entry>(changes: ChangeSet, file: string): Record<string, Entry> =>
  Object.fromEntries(Object.entries((changes.readJson(file) ?? {}) as Record<string, Entry>)
    .filter(([name]) => !name.startsWith('$') && !name.startsWith('_')))

/**
 * The file of a model of the folder.
 * @throws FBK_CLI_UNKNOWN_MODEL, FBK_CLI_DEFINED_IN_CODE
 */
export function fileOfModel ({ changes, layout, models }: Project, name: string): string {
  const file = models.get(name)
  const inCode = file === undefined ? definitionModuleOf(changes, layout, name) : undefined
  if (inCode !== undefined) throw new DefinedInCodeError(name, inCode)
  if (file === undefined) throw new UnknownModelError(name, [...models.keys()].join(', ') || 'none')
  return file
}

/** What the folder's own models extend, by name. */
export const basesOf = (
  { changes, layout, models, config }: Project
): Map<string, unknown> => new Map<string, unknown>([
  ...basesInCode(changes, layout, Object.keys(config)),
  ...[...models].map(([name, file]) => [name, valueAt(changes.readJson(file), ['base'])] as const)
])

/** Whether half of the folder's models of a data source or more count the writes of a row (`"version": true`). */
export function countsVersions ({ changes, models, config }: Project, dataSource: string | null): boolean {
  const beside = [...models].filter(([name]) => dataSource !== null && config[name]?.dataSource === dataSource)
  const counting = beside.filter(([, file]) => valueAt(changes.readJson(file), ['version']) === true)
  return counting.length > 0 && counting.length >= beside.length / 2
}

/**
 * Sets a value that is not there yet; one that is there and the same is left.
 * @param what for the message: `The model "Coffee"`
 * @throws FBK_CLI_EXISTS where another one stands there
 */
export function setNew (
  changes: ChangeSet, file: string, at: JSONPath, value: unknown, what: string, { force }: Replacing
): void {
  const there = valueAt(changes.readJson(file), at)
  if (isDeepStrictEqual(there, value)) return
  if (there !== undefined && force !== true) throw new ExistsError(what)
  changes.setJson(file, at, value)
}

/**
 * Writes a file that is not there yet.
 * @throws FBK_CLI_EXISTS where another one stands there
 */
export function writeNew (changes: ChangeSet, file: string, text: string, what: string, { force }: Replacing): void {
  const there = changes.read(file)
  if (there === text) return
  if (there !== undefined && force !== true) throw new ExistsError(what)
  changes.write(file, text)
}

export function valueAt (json: unknown, at: JSONPath): unknown {
  return at.reduce<unknown>((held, key) =>
    typeof held === 'object' && held !== null && Object.hasOwn(held, key) ? held[key as keyof typeof held] : undefined, json)
}

/**
 * What `$schema` says in a new file, where the folder's others have it; undefined where they have none.
 * @param kind name of the schema: `model`
 */
export function schemaFor ({ changes, layout, models }: Project, file: string, kind: string): string | undefined {
  for (const other of [...models.values(), layout.modelConfig, layout.dataSources]) {
    const { $schema } = (changes.readJson(other) ?? {}) as { readonly $schema?: unknown }
    if (typeof $schema !== 'string') continue
    const name = `${kind}.json`
    if (!$schema.startsWith('.')) return $schema.replace(/(?<![^/])[^/]*$/, name)
    const target = path.posix.join(path.posix.dirname(other), path.posix.dirname($schema), name)
    const relative = path.posix.relative(path.posix.dirname(file), target)
    return relative.startsWith('.') ? relative : `./${relative}`
  }
}
