/** `fastback seed`: rows for the models, from files; run again, nothing changes. */
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DataSource, ModelClass } from '@fastback/core'
import type { LoadedApplication, LoadOptions } from './application.js'
import { SeedError, SeedInProductionError } from './errors.js'
import { withApplication } from './load-application.js'
import { readSamples } from './samples.js'

type Transaction = NonNullable<Awaited<ReturnType<DataSource['beginTransaction']>>>

export interface SeedOptions extends LoadOptions {
  /** Absolute. Default: those of the folder `seeds`, in the order of their names. */
  readonly files?: readonly string[] | undefined
  /** What tells a row from others: `email`, or for one model `User.email`. Default: the id. */
  readonly keys?: readonly string[] | undefined
  /** Also in the environment `production`. */
  readonly force?: boolean | undefined
}

export interface Seeded {
  readonly file: string
  /** Undefined of scripts. */
  readonly model?: string
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

export interface SeedReport {
  readonly files: readonly Seeded[]
  /** Data sources in memory: what was written there is gone. */
  readonly forgotten: readonly string[]
}

/** What a script gets: `export default async ({ models, optionsOf }) => { … }` */
export interface SeedContext {
  readonly models: Readonly<Record<string, ModelClass>>
  /** Options for calls of a model, with the transaction of its data source. */
  optionsOf (model: ModelClass): { readonly transaction?: Transaction }
}

/** What is asked of a model. */
interface Rows {
  findOne (filter: object, options: object): Promise<Found | null>
  create (row: Row, options: object): Promise<unknown>
}

/** What is asked of a row that was found. */
interface Found {
  toObject (): Row
  patchAttributes (changes: Row, options: object): unknown
}

/** Rows of one file at most; more are for the tools of the database. */
const maxRows = 1_000_000

/**
 * Creates the rows that are not there, and updates those that differ; hidden properties (passwords) are set in new rows
 * only. All files are one transaction in each data source that has them.
 *
 * ```js
 * const { files } = await seed('my-app', { keys: ['User.email'] })   // [{ file: 'seeds/User.json', created: 3, … }]
 * ```
 * @param dir a folder, or a module that exports an application
 * @throws FBK_CLI_SEED naming file and row, FBK_CLI_SEED_PRODUCTION, FBK_CLI_SAMPLES
 */
export async function seed (dir: string, { env, force, files, keys = [] }: SeedOptions = {}): Promise<SeedReport> {
  if ((env ?? process.env.NODE_ENV) === 'production' && force !== true) throw new SeedInProductionError()
  const chosen = files ?? seedFiles(dir)
  return await withApplication(dir, { env, stores: 'all' }, async application => {
    application.useStores()
    const transactions = new Transactions()
    try {
      const results: Seeded[] = []
      for (const file of chosen) results.push(...await seedFile(file, dir, application, keys, transactions))
      await transactions.commit()
      const isForgotten = ({ connector, settings }: DataSource): boolean => connector.name === 'memory' && settings.file === undefined
      const forgotten = [...application.stores].filter(([, store]) => isForgotten(store)).map(([name]) => name)
      return { files: results, forgotten }
    } catch (error) {
      await transactions.rollback()
      throw error
    }
  })
}

/** A transaction of each data source, from its first use on. */
class Transactions {
  readonly #begun = new Map<DataSource, Transaction>()

  async of (model: ModelClass): Promise<{ readonly transaction?: Transaction }> {
    const { dataSource } = model
    if (dataSource?.connector.transactions === undefined) return {}
    const transaction = this.#begun.get(dataSource) ?? await dataSource.beginTransaction()
    if (transaction === undefined) return {}
    this.#begun.set(dataSource, transaction)
    return { transaction }
  }

  begunOf ({ dataSource }: ModelClass): { readonly transaction?: Transaction } {
    const transaction = dataSource == null ? undefined : this.#begun.get(dataSource)
    return transaction === undefined ? {} : { transaction }
  }

  async commit (): Promise<void> {
    for (const transaction of this.#begun.values()) await transaction.commit()
  }

  async rollback (): Promise<void> {
    for (const transaction of this.#begun.values()) await transaction.rollback()
  }
}

const isScript = (file: string): boolean => /\.[cm]?[jt]s$/.test(file)

function seedFiles (dir: string): string[] {
  const folder = path.join(dir, 'seeds')
  const names = existsSync(folder) ? readdirSync(folder).filter(name => isScript(name) || /\.(?:json|ndjson|csv)$/.test(name)).sort() : []
  if (names.length === 0) throw new SeedError('seeds', 'there is no such folder with files in it; name files, or make seeds/MODEL.json')
  return names.map(name => path.join(folder, name))
}

async function seedFile (
  file: string,
  dir: string,
  { registry }: LoadedApplication,
  keys: readonly string[],
  transactions: Transactions
): Promise<Seeded[]> {
  const name = path.relative(dir, file)
  const { models } = registry
  if (!existsSync(file)) throw new SeedError(name, 'there is no such file')
  if (isScript(file)) {
    for (const model of Object.values(models)) await transactions.of(model)
    const { default: run } = await import(pathToFileURL(file).href) as { default?: (context: SeedContext) => unknown }
    if (typeof run !== 'function') throw new SeedError(name, 'it exports no function as default')
    await run({ models, optionsOf: model => transactions.begunOf(model) })
    return [{ file: name, created: 0, updated: 0, unchanged: 0 }]
  }
  const results: Seeded[] = []
  for (const [model, rows] of await tablesIn(file, name, models)) {
    const counts = { created: 0, updated: 0, unchanged: 0 }
    const options = await transactions.of(model)
    for (const [at, row] of rows.entries()) {
      const outcome = await seedRow(model, row, keysOf(model, keys), options).catch((error: unknown) => {
        throw Object.assign(new SeedError(name, `${model.modelName}, row ${at + 1}: ${error instanceof Error ? error.message : String(error)}`), { cause: error })
      })
      counts[outcome]++
    }
    results.push({ file: name, model: model.modelName, ...counts })
  }
  return results
}

type Row = Readonly<Record<string, unknown>>

/** The rows of a file, by model: of one that its name tells, or of those that its keys name. */
async function tablesIn (file: string, name: string, models: SeedContext['models']): Promise<Array<[ModelClass, Row[]]>> {
  if (file.endsWith('.json')) {
    const value = parsed(readFileSync(file, 'utf8'), name)
    const entries = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
    if (entries.length > 0 && entries.every(([, rows]) => Array.isArray(rows))) {
      return entries.map(([model, rows]) => [modelNamed(model, name, models), rows as Row[]])
    }
  }
  const model = modelNamed(path.parse(file).name.replace(/^\d+[-_.]/, ''), name, models)
  const format = file.endsWith('.csv') ? 'csv' : file.endsWith('.ndjson') ? 'ndjson' : 'json'
  return [[model, await readSamples(createReadStream(file), { format, limit: maxRows }) as Row[]]]
}

function parsed (text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new SeedError(name, error instanceof Error ? error.message : String(error))
  }
}

/** `CoffeeShop`, `coffee-shop`, `coffee_shop` */
function modelNamed (name: string, file: string, models: SeedContext['models']): ModelClass {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z\d]/g, '')
  const model = models[name] ?? Object.values(models).find(each => plain(each.modelName) === plain(name))
  if (model === undefined) throw new SeedError(file, `there is no model "${name}"`)
  return model
}

function keysOf (model: ModelClass, keys: readonly string[]): readonly string[] {
  const own = keys.flatMap(key => key.startsWith(`${model.modelName}.`) ? [key.slice(model.modelName.length + 1)] : [])
  const general = keys.filter(key => !key.includes('.'))
  return own.length > 0 ? own : general.length > 0 ? general : model.definition.idNames()
}

async function seedRow (
  model: ModelClass,
  row: Row,
  keys: readonly string[],
  options: { readonly transaction?: Transaction }
): Promise<'created' | 'updated' | 'unchanged'> {
  const missing = keys.find(key => row[key] === undefined || row[key] === null)
  if (missing !== undefined) throw new Error(`it has no "${missing}", so that it could not be found again; choose another with --key`)
  const rows = model as ModelClass & Rows
  const where = Object.fromEntries(keys.map(key => [key, row[key]]))
  const found = await rows.findOne({ where }, options)
  if (found === null) {
    await rows.create(row, options)
    return 'created'
  }
  const { hidden } = model.settings as { hidden?: unknown }
  const skipped = [...keys, ...(Array.isArray(hidden) ? hidden as string[] : [])]
  const kept = found.toObject()
  const differs = (name: string, value: unknown): boolean =>
    JSON.stringify(kept[name] ?? null) !== JSON.stringify(value)
  const changes = Object.entries(row).filter(([name, value]) => !skipped.includes(name) && differs(name, value))
  if (changes.length === 0) return 'unchanged'
  await found.patchAttributes(Object.fromEntries(changes), options)
  return 'updated'
}
