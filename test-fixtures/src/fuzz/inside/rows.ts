/** The rows of all models, seen below everything that a request goes through: at the connectors. */
import type { CompiledModel, Connector, DataSource, Id, ModelRegistry, Row } from '@fastback/core'
import { defaultQueryLimits, parseFilter } from '@fastback/core/connector'
import { extendsModel } from '@fastback/core/remote'
import type { Questions, RowChange } from './protocol.js'

type Texts = ReadonlyMap<string, string>

const writes = ['create', 'createMany', 'updateAll', 'updateById', 'replaceById', 'findOrCreate', 'deleteAll'] as const

/** The data source's own: that of a compiled model may be one that hides something (ids of tokens). */
export const connectorOf = ({ Model }: CompiledModel): Connector => (Model.dataSource as DataSource).connector

export class RowView {
  readonly #models: CompiledModel[]
  /** Models that were written, with the numbers of the requests that did it. */
  readonly #touched = new Map<string, Set<number>>()
  /** Whether writes take their time: what a transaction wrote is then seen after its connector has answered. */
  #takesTime = false
  /** Writes that go on. */
  readonly #pending = new Set<Promise<void>>()
  /** Rows as they were when they were looked at last. */
  readonly #known = new Map<string, Texts>()
  readonly #kept = new Map<string, Row[]>()
  readonly #good = new Map<string, Texts>()

  /** @param request the number of the request that asks at this moment; undefined outside of any */
  constructor (readonly registry: ModelRegistry, readonly request: () => number | undefined) {
    this.#models = Object.values(registry.models)
      .filter(Model => Model.dataSource !== null)
      .map(Model => Model.compiled)
      .filter(
        model =>
          model.properties.length > 0 &&
          model.id !== undefined &&
          ['memory', 'sql', 'sqlite', 'postgres', 'postgresql', 'mysql'].includes(connectorOf(model).name)
      )
    for (const connector of new Set(this.#models.map(connectorOf))) this.#watch(connector)
  }

  /** Whether a connector was asked to write since the last look. */
  get isTouched (): boolean {
    return this.#touched.size > 0
  }

  get models (): readonly CompiledModel[] {
    return this.#models
  }

  /** Notes which models a connector was asked to write. */
  #watch (connector: Connector): void {
    const note = (target: Record<string, unknown>, name: string): void => {
      const original = target[name] as (model: CompiledModel, ...rest: unknown[]) => unknown
      target[name] = (model: CompiledModel, ...rest: unknown[]) => {
        const number = this.request() ?? 0
        this.#note(model.name, number)
        const result = original.call(target, model, ...rest)
        if (result instanceof Promise) this.#await(result, model.name, number)
        return result
      }
    }
    for (const name of writes) note(connector as unknown as Record<string, unknown>, name)
    if (connector.text !== undefined) note(connector.text as unknown as Record<string, unknown>, 'updateById')
  }

  #note (name: string, number: number): void {
    const numbers = this.#touched.get(name)
    if (numbers === undefined) this.#touched.set(name, new Set([number]))
    else numbers.add(number)
  }

  /** A write that takes its time is noted when it begins and when it is done. */
  #await (write: Promise<unknown>, name: string, number: number): void {
    this.#takesTime = true
    const done = write.then(() => {}, () => {}).then(() => {
      this.#note(name, number)
      this.#pending.delete(done)
    })
    this.#pending.add(done)
  }

  async rows (model: CompiledModel): Promise<Row[]> {
    return await connectorOf(model).find(
      model,
      parseFilter(model, {}, { external: false, limits: defaultQueryLimits }),
      {}
    )
  }

  /** What `restore` brings back. */
  async keep (): Promise<void> {
    for (const model of this.#models) {
      const rows = await this.rows(model)
      this.#kept.set(model.name, rows)
      const texts = textsOf(model, rows)
      this.#good.set(model.name, texts)
      this.#known.set(model.name, texts)
    }
    this.#touched.clear()
  }

  keptRows (name: string): readonly Row[] {
    return this.#kept.get(name) ?? []
  }

  /**
   * Of models whose connector was asked to write since the last call.
   * What requests before the one that is judged left to be done after their responses is not among its changes.
   */
  async changes ({ request, after }: Questions['changes']['asked']): Promise<RowChange[]> {
    const found: RowChange[] = []
    if (this.#touched.size === 0) return found
    for (const model of this.#models) {
      const numbers = this.#touched.get(model.name)
      if (numbers === undefined) continue
      this.#touched.delete(model.name)
      const before = this.#known.get(model.name) as Texts
      const now = textsOf(model, await this.rows(model))
      this.#known.set(model.name, now)
      const change = difference(model.name, before, now)
      if (
        change !== undefined &&
        [...numbers].some(number => (request === undefined ? number === 0 || number > after : number === request))
      ) { found.push(change) }
    }
    return found
  }

  /**
   * @returns changes of models whose connector was not asked to write, where stores answer at once. What a request left
   * to be done after its response is not among them.
   */
  async restore (): Promise<RowChange[]> {
    const unseen: RowChange[] = []
    while (this.#pending.size > 0) await Promise.all(this.#pending)
    for (const model of this.#models) {
      const kept = this.#kept.get(model.name) as Row[]
      const good = this.#good.get(model.name) as Texts
      const now = textsOf(model, await this.rows(model))
      const silent =
        this.#takesTime || this.#touched.has(model.name)
          ? undefined
          : difference(model.name, this.#known.get(model.name) as Texts, now)
      if (silent !== undefined) unseen.push(silent)
      if (difference(model.name, good, now) === undefined) continue
      await connectorOf(model).deleteAll(model, undefined, {})
      if (kept.length > 0) await connectorOf(model).createMany(model, kept.map(row => ({ ...row })), {})
      this.#known.set(model.name, textsOf(model, await this.rows(model)))
      await this.#tellCaches(model)
    }
    this.#touched.clear()
    return unseen
  }

  /** Who remembers rows forgets them after a change of the model: they are told of one that changes nothing. */
  async #tellCaches ({ Model }: CompiledModel): Promise<void> {
    if (!['User', 'AccessToken', 'Role', 'RoleMapping', 'ACL', 'Application'].some(name => {
      const base = this.registry.findModel(name)
      return base !== undefined && extendsModel(Model, base)
    })) return
    await (Model as unknown as { destroyAll(where: object): Promise<unknown> }).destroyAll({
      [Model.compiled.id?.name as string]: this.#absent(Model.compiled)
    })
  }

  #absent (model: CompiledModel): Id {
    return model.id?.type.kind === 'number' ? -987654321 : 'no-such-row'
  }
}

const textsOf = (model: CompiledModel, rows: readonly Row[]): Texts =>
  new Map(rows.map(row => [String(row[model.id?.name as string]), textOf(row)]))

const textOf = (row: Row): string =>
  JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

function difference (model: string, before: Texts, after: Texts): RowChange | undefined {
  const created = [...after.keys()].filter(id => !before.has(id))
  const removed = [...before.keys()].filter(id => !after.has(id))
  const changed = [...before.keys()].filter(id => after.has(id) && after.get(id) !== before.get(id))
  if (created.length + removed.length + changed.length === 0) return undefined
  return {
    model,
    created,
    removed,
    changed,
    before: Object.fromEntries([...removed, ...changed].map(id => [id, before.get(id) as string]))
  }
}
