/** Tables of a database as definitions of a folder: new ones, and what is new in its own (discovery.md, 6 and 7). */
import { isDeepStrictEqual } from 'node:util'
import type { DiscoveredModel } from '@fastback/core'
import type { ChangeSet } from '../changes/index.js'
import type { DefinitionForm } from './definition-files.js'
import type { Layout } from './layout.js'
import { definitionFiles, planModel } from './model-files.js'
import { tableModel } from './typebox/index.js'

/** What became of one table. */
export interface DiscoveredTableReport {
  readonly model: string
  readonly table: string
  readonly file: string
  readonly state: 'new' | 'changed' | 'same'
  /** Whether model-config.json publishes it. */
  readonly published: boolean
  /** Rule and reason: what was left out, what lost something, what is gone from the database. */
  readonly notes: readonly string[]
}

const denied = { accessType: '*', principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }

/** A model that the folder has. */
export interface KnownModel { readonly name: string, readonly file: string, readonly definition: Definition }

interface Planning {
  readonly dataSource: string
  readonly isOpen: boolean
  readonly form?: DefinitionForm
  readonly inCode?: readonly KnownModel[]
}

/** Plans new models, and what is new in those that the folder has (DR-10). */
export function planModels (
  changes: ChangeSet, layout: Layout, found: readonly DiscoveredModel[],
  { dataSource, isOpen, form = 'json', inCode = [] }: Planning
): DiscoveredTableReport[] {
  const files = definitionFiles(changes, layout)
  const inJson = [...files].map(([name, file]) => ({ name, file, definition: changes.readJson(file) as Definition }))
  const known: KnownModel[] = [...inJson, ...inCode]
  const configured = (changes.readJson(layout.modelConfig) ?? {}) as Record<string, { public?: unknown } | undefined>
  return found.map(({ public: isPublic, notes = [], ...definition }) => {
    const table = tableOf(definition as Definition)
    const same = known.find(each => table !== undefined && tableOf(each.definition) === table) ??
      known.find(({ name }) => name === definition.name)
    const model = same?.name ?? definition.name
    const published = same === undefined ? isPublic !== false : configured[model]?.public === true
    const report = { model, table: table ?? definition.name, published }
    if (same !== undefined && inCode.includes(same)) {
      return { ...report, file: same.file, state: 'same', notes: [...notes, ...newFor(same, definition as Definition)] }
    }
    if (same !== undefined) {
      const gone = refresh(changes, same.file, same.definition, definition as Definition)
      const isChanged = changes.changes.some(({ file }) => file === same.file)
      return { ...report, file: same.file, state: isChanged ? 'changed' : 'same', notes: [...notes, ...gone] }
    }
    const whole = { ...definition, acls: isOpen ? [] : [denied] }
    const key = ownSettings(definition.options)?.key
    const file = planModel(changes, layout, {
      ...(form === 'json' || key === undefined ? { definition: whole } : tableModel(whole, key)),
      form,
      dataSource,
      isPublic: published
    })
    return { ...report, file, state: 'new', notes }
  })
}

interface Definition {
  readonly options?: Readonly<Record<string, unknown>>
  readonly properties?: Readonly<Record<string, unknown>>
  readonly relations?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

/** Where the settings of databases stand. */
const databases = ['postgresql', 'mysql', 'sqlite3', 'postgres', 'mariadb', 'sqlite'] as const

interface OwnSettings { readonly key: string, readonly settings: Readonly<Record<string, unknown>> }

function ownSettings (holder: unknown): OwnSettings | undefined {
  const members = (holder ?? {}) as Readonly<Record<string, OwnSettings['settings']>>
  const key = databases.find(name => typeof members[name] === 'object')
  return key === undefined ? undefined : { key, settings: members[key] as OwnSettings['settings'] }
}

/** `schema.table`; undefined for models that name none. */
function tableOf ({ options, ...definition }: Definition): string | undefined {
  const found = ownSettings(options) ?? ownSettings(definition)
  return typeof found?.settings.table === 'string' ? `${String(found.settings.schema)}.${found.settings.table}` : undefined
}

/**
 * Brings what the database says into a file: settings of columns, new properties, new relations. What a person wrote
 * stays.
 * @returns what the database no longer has
 */
function refresh (changes: ChangeSet, file: string, present: Definition, found: Definition): string[] {
  const byColumn = new Map(Object.entries(present.properties ?? {}).map(([name, property]) =>
    [String(ownSettings(property)?.settings.columnName ?? name).toLowerCase(), name]))
  for (const [name, property] of Object.entries(found.properties ?? {})) {
    const own = ownSettings(property) as OwnSettings
    const column = String(own.settings.columnName).toLowerCase()
    const there = byColumn.get(column)
    byColumn.delete(column)
    if (there === undefined) changes.setJson(file, ['properties', name], property)
    else if (!isDeepStrictEqual(ownSettings(present.properties?.[there])?.settings, own.settings)) {
      changes.setJson(file, ['properties', there, own.key], own.settings)
    }
  }
  const relations = Object.entries(present.relations ?? {})
  for (const [name, relation] of Object.entries(found.relations ?? {})) {
    if (!relations.some(([, other]) => joinsAlike(other, relation)) && present.relations?.[name] === undefined) {
      changes.setJson(file, ['relations', name], relation)
    }
  }
  return [...byColumn.entries()]
    .filter(([, name]) => ownSettings(present.properties?.[name]) !== undefined)
    .map(([column, name]) => `DR-10: the table has no column "${column}" any more; the property "${name}" stays`)
}

/** What a definition in code lacks: it is told, and its author writes it. */
function newFor ({ file, definition }: KnownModel, found: Definition): string[] {
  const columns = Object.entries(definition.properties ?? {}).map(([name, property]) =>
    String(ownSettings(property)?.settings.columnName ?? name).toLowerCase())
  return [
    ...Object.entries(found.properties ?? {})
      .map(([name, property]) => [name, String(ownSettings(property)?.settings.columnName)] as const)
      .filter(([, column]) => !columns.includes(column.toLowerCase()))
      .map(([name, column]) => `DR-10: the column "${column}" is new; add the property "${name}" in ${file}`),
    ...Object.entries(found.relations ?? {})
      .filter(([name, relation]) => definition.relations?.[name] === undefined &&
        !Object.values(definition.relations ?? {}).some(other => joinsAlike(other, relation)))
      .map(([name]) => `DR-10: the relation "${name}" is new; add it in ${file}`)
  ]
}

/** Relations are the same whatever they are called. */
const joinsAlike = (a: unknown, b: unknown): boolean => {
  const joined = ({ type, model, foreignKey, through }: Record<string, unknown>) =>
    ({ type, model, foreignKey, through })
  return isDeepStrictEqual(joined(a as Record<string, unknown>), joined(b as Record<string, unknown>))
}
