/**
 * Rows of the ACL model, held in memory: read again after every change of this process, and now and then for those of
 * others.
 */
import type { MaybePromise, ModelClass, ModelRegistry } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { findRows } from '@fastback/core/remote'
import { ruleOf, type Rule } from './rule.js'
import { voidParts } from './void.js'

/** Rows by the name of their model. */
export type StoredTable = ReadonlyMap<string, readonly Rule[]>

const none: readonly Rule[] = []

export class StoredRules {
  #table: StoredTable | undefined
  #until = 0
  #generation = 0
  #reading: Promise<StoredTable> | undefined
  /** Changes when the rows do. */
  version: object = {}

  /** @param ttl milliseconds that a change by another process may go unseen */
  constructor (readonly registry: ModelRegistry, readonly ttl: number) {}

  /** The ACL model, where it is attached. */
  get model (): ModelClass | undefined {
    const Model = this.registry.findModel('ACL') === undefined ? undefined : this.registry.getModelByType('ACL')
    return Model?.dataSource === null ? undefined : Model
  }

  /** All rules, as they were last read. */
  get known (): readonly Rule[] {
    return [...this.#table?.values() ?? []].flat()
  }

  /** Forgets the rows: they were changed. */
  clear (): void {
    this.#generation++
    this.#until = 0
    // Whoever comes after the change must not be given what was read before it.
    this.#reading = undefined
  }

  /** Rows that name the model, or all models. */
  of (table: StoredTable, modelName: string): readonly Rule[] {
    const own = table.get(modelName) ?? none
    const all = table.get('*')
    return all === undefined ? own : [...own, ...all]
  }

  /** All rows by model. Synchronous while what is known is fresh. */
  read (): MaybePromise<StoredTable> {
    if (this.#table !== undefined && this.#until > Date.now()) return this.#table
    if (this.#reading !== undefined) return this.#reading
    const { model } = this
    if (model === undefined) return this.#keep(new Map(), this.#generation)
    const generation = this.#generation
    const rows = chain(findRows(model.compiled, undefined, { notify: false }), found =>
      this.#keep(tableOf(found), generation)
    )
    if (!isPromise(rows)) return rows
    const reading = rows.finally(() => { if (this.#reading === reading) this.#reading = undefined })
    return (this.#reading = reading)
  }

  /** Rows come while the application runs: one that cannot be read is never wider than it reads, and told. */
  #warn (table: StoredTable): void {
    for (const [model, rules] of table) {
      const Model = this.registry.findModel(model)
      for (const rule of rules) {
        for (const { says } of voidParts(this.registry, rule, Model)) {
          this.registry.log.warn({ model, acl: rule.written }, `A stored rule of "${model}": ${says}`)
        }
      }
    }
  }

  #keep (table: StoredTable, generation: number): StoredTable {
    // Rows that changed while they were read are read again next time, and never take the place of what was read later.
    if (generation === this.#generation) this.#until = Date.now() + this.ttl
    else if (this.#table !== undefined) return this.#table
    if (this.#table === undefined || !isSame(this.#table, table)) {
      this.#table = table
      this.version = {}
      this.#warn(table)
    }
    return this.#table
  }
}

function tableOf (rows: ReadonlyArray<Readonly<Record<string, unknown>>>): StoredTable {
  const table = new Map<string, Rule[]>()
  for (const row of rows) {
    const { id: _id, ...written } = row
    const model = String(row.model ?? '*')
    const rules = table.get(model)
    if (rules === undefined) table.set(model, [ruleOf(written, false)])
    else rules.push(ruleOf(written, false))
  }
  return table
}

const isSame = (a: StoredTable, b: StoredTable): boolean =>
  a.size === b.size && JSON.stringify([...a]) === JSON.stringify([...b])
