/**
 * What the protocol of today notes beside a change, which LoopBack's has no place for: when it was, who may see the
 * row, and which properties were written.
 */
import type { DataSource, MaybePromise, ModelClass, Row, StoreOptions } from '@fastback/core'
import { chain, parseFilter, parseWhere } from '@fastback/core/connector'
import { changeId } from './revision.js'
import type { Trail } from './trail.js'

export interface ChangeNote {
  readonly at?: Date | null
  /** The columns that say who may see the row. */
  readonly kept?: Row | null
  readonly trail?: Trail | null
}

/** A note as it is stored. What it does not say stays as it is. */
export interface NoteRow extends ChangeNote {
  readonly id: string
}

const kNotes = Symbol('fastback.sync.notes')
/** Characters of a row's id beyond which that of its note does not tell it: databases bound their keys. */
export const longestId = 100
/** What stands before the id of a row in the id of its note. */
export const beforeId = (modelName: string): string => `${encodeURIComponent(modelName)} `

/**
 * The id of the note of a row. It says which row that is, so that notes stand in the order of their rows, and a
 * database finds one beside the other.
 */
export function noteId (modelName: string, id: unknown): string {
  const text = String(id)
  return text.length <= longestId ? beforeId(modelName) + text : changeId(modelName, id)
}

/** Ids of one query. */
const batch = 500

export class ChangeNotes {
  readonly Model: ModelClass

  private constructor (dataSource: DataSource) {
    const { registry } = dataSource
    const Model = registry.defineModel({
      name: 'change-note',
      base: 'PersistedModel',
      strict: true,
      properties: {
        id: { type: 'string', id: true, generated: false },
        at: 'date',
        kept: 'object',
        trail: 'object'
      }
    }, { unlisted: true }) as unknown as ModelClass
    this.Model = registry.attach(Model, dataSource as never, { public: false })
  }

  /** Those of a data source. */
  static of (dataSource: DataSource): ChangeNotes {
    const all = dataSource.registry.slot(kNotes, () => new Map<DataSource, ChangeNotes>())
    const known = all.get(dataSource)
    if (known !== undefined) return known
    const made = new ChangeNotes(dataSource)
    all.set(dataSource, made)
    return made
  }

  /** That with an id. */
  one (id: string, options: StoreOptions): MaybePromise<ChangeNote | undefined> {
    const { compiled } = this.Model
    const reading = { ...options, mayBeMissing: true }
    return chain(compiled.connector.findById(compiled, id, compiled.selectAll, reading), noteOf)
  }

  /** Several, by their ids. */
  of (ids: readonly string[], options: StoreOptions, from = 0): MaybePromise<ReadonlyMap<string, ChangeNote>> {
    const { compiled } = this.Model
    if (from >= ids.length) return new Map()
    const where = { id: { inq: ids.slice(from, from + batch) } }
    const query = parseFilter(compiled, { where }, compiled.parsing.internal)
    return chain(compiled.connector.find(compiled, query, options), found =>
      chain(this.of(ids, options, from + batch), others =>
        new Map([...others, ...found.map(row => [String(row.id), noteOf(row) ?? {}] as const)])))
  }

  /** When their changes were, by their ids: little of each is read. */
  times (ids: readonly string[], options: StoreOptions): MaybePromise<ReadonlyMap<string, Date | null>> {
    const { compiled } = this.Model
    const query = parseFilter(compiled, { where: { id: { inq: ids } }, fields: ['id', 'at'] }, compiled.parsing.internal)
    return chain(compiled.connector.find(compiled, query, options), found =>
      new Map(found.map(row => [String(row.id), (row.at ?? null) as Date | null])))
  }

  /** @param isNew whether the change is; there may be a note all the same where the store has no transactions */
  put ({ id, ...note }: NoteRow, isNew: boolean, options: StoreOptions): MaybePromise<unknown> {
    const { compiled } = this.Model
    const { connector } = compiled
    const create = (): MaybePromise<unknown> => connector.create(compiled, { id, ...note } as Row, options)
    if (isNew && connector.transactions !== undefined) return create()
    const found = connector.updateById(compiled, id, note as Row, { ...options, mayBeMissing: true })
    return chain(found, written => written ?? create())
  }

  /** Whole ones, in one step: where the store can (`Connector.together`). */
  putMany (notes: readonly NoteRow[], options: StoreOptions): MaybePromise<void> {
    const { compiled } = this.Model
    if (notes.length === 0) return
    return compiled.connector.together?.put(compiled, notes as unknown as Row[], options)
  }

  remove (ids: readonly string[], options: StoreOptions): MaybePromise<unknown> {
    const { compiled } = this.Model
    return compiled.connector.deleteAll(
      compiled, parseWhere(compiled, { id: { inq: ids } }, compiled.parsing.internal), options)
  }
}

const noteOf = (row: Row | undefined): ChangeNote | undefined =>
  row === undefined ? undefined : { at: row.at as Date, kept: row.kept as Row, trail: row.trail as Trail }
