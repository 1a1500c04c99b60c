/** The tables of a database as its own catalogue has them: what discovery starts from (discovery.md). */
import type { MaybePromise } from '@fastback/core'
import type { Connection } from './driver.js'

export interface CatalogueColumn {
  readonly name: string
  /** The type without its sizes: `character varying`, `int`. What LoopBack calls it, where that is something else. */
  readonly dataType: string
  readonly loopbackType?: string
  /** The type as it was declared: `varchar(20)`, `int(10) unsigned`. */
  readonly fullType: string
  readonly length: number | null
  readonly precision: number | null
  readonly scale: number | null
  readonly nullable: boolean
  /** The expression of the default, as the database writes it. */
  readonly default: string | undefined
  /** `counted`: serial, identity, auto_increment. `computed`: from other columns, and not to be written. */
  readonly generated: 'counted' | 'computed' | undefined
  readonly comment: string | undefined
  /** The values of an enumeration, or of a set. */
  readonly values: readonly string[] | undefined
  /** Type of the items of an array, and how many dimensions it was declared with. */
  readonly items: { readonly type: string, readonly dimensions: number } | undefined
}

export interface CatalogueIndex {
  readonly name: string
  readonly unique: boolean
  /** Whether it takes NULL for a value that only one row may have. */
  readonly nullsEqual?: boolean
  readonly columns: readonly string[]
  /** Those that stand from the largest value on. */
  readonly descending?: readonly string[]
}

export interface CatalogueForeignKey {
  readonly name: string
  readonly columns: readonly string[]
  readonly onDelete: string
  readonly onUpdate: string
  readonly target: {
    readonly schema: string
    readonly table: string
    readonly keyName: string | null
    readonly columns: readonly string[]
  }
}

export interface CatalogueTable {
  readonly schema: string
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly comment: string | undefined
  readonly columns: readonly CatalogueColumn[]
  /** Columns in the order of the key; undefined without a primary key. */
  readonly primaryKey: { readonly name: string, readonly columns: readonly string[] } | undefined
  /** On plain columns, the primary key's left out. */
  readonly indexes: readonly CatalogueIndex[]
  /** Expressions of checks. */
  readonly checks: readonly string[]
  readonly foreignKeys: readonly CatalogueForeignKey[]
}

/** Which tables are looked at. */
export interface CatalogueScope {
  /** Undefined: the schema of the data source. */
  readonly schema: string | undefined
  /** Undefined: all. Names are compared as they are written. */
  readonly tables: readonly string[] | undefined
}

/** Asks a database's catalogue. Every query is bound, and for whole tables: none per table. */
export interface Catalogue {
  /** The schema that is meant where nobody names one. */
  currentSchema (connection: Connection): MaybePromise<string>
  /** All schemas but those of the system itself, in the order of their names. */
  schemas (connection: Connection): MaybePromise<Array<{ readonly catalog: string, readonly schema: string }>>
  /** Tables and views in the order of their names, columns and keys in theirs. */
  tables (connection: Connection, scope: CatalogueScope): MaybePromise<CatalogueTable[]>
}

/** Tables that are read at once. */
export const maxTables = 5_000

/** Puts rows that name their table together, by the name. */
export function byTable<T> (rows: readonly unknown[][], make: (row: unknown[]) => T): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const name = String(row[0])
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [make(row)])
    else group.push(make(row))
  }
  return groups
}

interface Part {
  readonly name: string
  readonly columns: readonly string[]
  readonly descending?: readonly string[]
}

/** Puts rows of one thing (an index, a key) together, in their order. */
export function byName<T extends Part> (parts: readonly T[]): T[] {
  const whole = new Map<string, T>()
  for (const part of parts) {
    const known = whole.get(part.name)
    const descending = [...known?.descending ?? [], ...part.descending ?? []]
    whole.set(part.name, {
      ...known ?? part,
      columns: [...known?.columns ?? [], ...part.columns],
      ...(descending.length === 0 ? {} : { descending })
    })
  }
  return [...whole.values()]
}

/** The columns of one key together, on both sides. */
export function compoundKeys (parts: readonly CatalogueForeignKey[]): CatalogueForeignKey[] {
  const targets = new Map<string, string[]>()
  for (const { name, target } of parts) targets.set(name, [...targets.get(name) ?? [], ...target.columns])
  return byName(parts).map(key => ({ ...key, target: { ...key.target, columns: targets.get(key.name) as string[] } }))
}

export const numberOrNull = (raw: unknown): number | null => raw === null || raw === undefined ? null : Number(raw)
export const textOr = (raw: unknown): string | undefined =>
  raw === null || raw === undefined || raw === '' ? undefined : String(raw)
