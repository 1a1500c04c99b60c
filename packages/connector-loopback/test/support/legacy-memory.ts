/** Connectors as they are written for LoopBack, in memory: one with the fewest methods, one with all. */
import type { LoopbackConnectorModule } from '@fastback/connector-loopback'

type Loose = any
type Done = (error?: unknown, result?: unknown) => void

interface Table { rows: Map<unknown, Loose>, last: number, id: string }

const copy = (value: Loose): Loose =>
  value === null || typeof value !== 'object' || value instanceof Date || Buffer.isBuffer(value)
    ? value instanceof Date ? new Date(value) : Buffer.isBuffer(value) ? Buffer.from(value) : value
    : Array.isArray(value) ? value.map(copy) : Object.fromEntries(Object.entries(value).map(([k, v]) => [k, copy(v)]))

const later = (done: Done, error: unknown, result?: unknown): void => { setImmediate(done, error, result) }

class Tables {
  readonly byModel = new Map<string, Table>()

  define ({ model, properties }: Loose): void {
    const id = Object.keys(properties).find(name => properties[name].id) as string
    const table = this.byModel.get(model.modelName)
    if (table === undefined) this.byModel.set(model.modelName, { rows: new Map(), last: 0, id })
  }

  of (model: string): Table { return this.byModel.get(model) as Table }

  insert (model: string, data: Loose): unknown {
    const table = this.of(model)
    const id = data[table.id] ?? ++table.last
    if (table.rows.has(id)) {
      throw Object.assign(new Error(`Duplicate entry for ${model}.${table.id}`), { code: 'ER_DUP_ENTRY' })
    }
    if (typeof id === 'number') table.last = Math.max(table.last, id)
    table.rows.set(id, copy({ ...data, [table.id]: id }))
    return id
  }

  clear (model: string): void { Object.assign(this.of(model), { rows: new Map(), last: 0 }) }
}

/** `create`, `all`, `save` and `destroy` without options; `all` gives everything, whatever it is asked for. */
class FewMethods {
  readonly tables = new Tables()
  define (definition: Loose): void { this.tables.define(definition) }

  create (model: string, data: Loose, done: Done): void {
    try { later(done, null, this.tables.insert(model, data)) } catch (error) { later(done, error) }
  }

  all (model: string, _filter: Loose, done: Done): void {
    later(done, null, [...this.tables.of(model).rows.values()].map(copy))
  }

  save (model: string, data: Loose, done: Done): void {
    const { rows, id } = this.tables.of(model)
    rows.set(data[id], copy(data))
    later(done, null, data)
  }

  destroy (model: string, id: unknown, done: Done): void { later(done, null, this.tables.of(model).rows.delete(id)) }
  automigrate (models: string[], done: Done): void {
    models.forEach(model => { this.tables.clear(model) })
    later(done, null)
  }
}

const value = (given: Loose): Loose => given instanceof Date ? given.getTime() : given ?? null
const compare = (a: Loose, b: Loose): number => a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1
const range = (a: Loose, b: Loose, test: (sign: number) => boolean): boolean => a !== null && test(compare(a, value(b)))

const operators: Record<string, (found: Loose, wanted: Loose) => boolean> = {
  neq: (found, wanted) => found !== value(wanted),
  gt: (found, wanted) => range(found, wanted, sign => sign > 0),
  gte: (found, wanted) => range(found, wanted, sign => sign >= 0),
  lt: (found, wanted) => range(found, wanted, sign => sign < 0),
  lte: (found, wanted) => range(found, wanted, sign => sign <= 0),
  between: (found, [from, to]) => range(found, from, sign => sign >= 0) && range(found, to, sign => sign <= 0),
  inq: (found, list) => list.map(value).includes(found),
  nin: (found, list) => !list.map(value).includes(found)
}

function matches (row: Loose, where: Loose): boolean {
  return Object.entries(where ?? {}).every(([key, wanted]: [string, Loose]) => {
    if (key === 'and') return wanted.every((each: Loose) => matches(row, each))
    if (key === 'or') return wanted.some((each: Loose) => matches(row, each))
    const found = value(row[key])
    const isTest = wanted !== null && typeof wanted === 'object' && !(wanted instanceof Date)
    if (!isTest) return found === value(wanted)
    return Object.entries(wanted).every(([name, operand]) => operators[name]?.(found, operand) === true)
  })
}

/** Everything, with options, as today's connectors have it. */
class AllMethods {
  readonly name = 'all-methods'
  readonly tables = new Tables()
  dataSource: Loose
  #values = new Map<string, { value: unknown, end: number }>()

  getDefaultIdType (): NumberConstructor { return Number }
  getTypes (): string[] { return ['db', 'nosql'] }
  define (definition: Loose): void { this.tables.define(definition) }
  connect (done: Done): void { later(done, null) }
  disconnect (done: Done): void { later(done, null) }
  ping (done: Done): void { later(done, null) }

  create (model: string, data: Loose, options: Loose, done: Done): void {
    try { later(done, null, this.tables.insert(model, data)) } catch (error) { later(done, error) }
  }

  #matching (model: string, where: Loose): Loose[] {
    return [...this.tables.of(model).rows.values()].filter(row => matches(row, where))
  }

  all (model: string, filter: Loose, options: Loose, done: Done): void {
    const { id } = this.tables.of(model)
    const order = [filter.order ?? `${id} ASC`].flat().map((term: string) => term.split(' '))
    const rows = this.#matching(model, filter.where).sort((a, b) => {
      for (const [name, direction] of order) {
        const sign = compare(value(a[name as string]), value(b[name as string]))
        if (sign !== 0) return direction === 'DESC' ? -sign : sign
      }
      return 0
    })
    const skip = filter.offset ?? 0
    const page = rows.slice(skip, filter.limit === undefined ? undefined : skip + filter.limit)
    const picked = (row: Loose): Loose => Object.fromEntries(filter.fields.map((name: string) => [name, row[name]]))
    later(done, null, page.map(row => copy(filter.fields === undefined ? row : picked(row))))
  }

  count (model: string, where: Loose, options: Loose, done: Done): void {
    later(done, null, this.#matching(model, where).length)
  }

  update (model: string, where: Loose, data: Loose, options: Loose, done: Done): void {
    const rows = this.#matching(model, where)
    for (const row of rows) Object.assign(row, copy(data))
    later(done, null, { count: rows.length })
  }

  updateAttributes (model: string, id: unknown, data: Loose, options: Loose, done: Done): void {
    const row = this.tables.of(model).rows.get(id)
    if (row === undefined) return later(done, Object.assign(new Error('no such row'), { statusCode: 404 }))
    Object.assign(row, copy(data))
    later(done, null, row)
  }

  replaceById (model: string, id: unknown, data: Loose, options: Loose, done: Done): void {
    const { rows } = this.tables.of(model)
    if (!rows.has(id)) return later(done, Object.assign(new Error('no such row'), { statusCode: 404 }))
    rows.set(id, copy(data))
    later(done, null, data)
  }

  destroyAll (model: string, where: Loose, options: Loose, done: Done): void {
    const { rows, id } = this.tables.of(model)
    const found = this.#matching(model, where)
    for (const row of found) rows.delete(row[id])
    later(done, null, { count: found.length })
  }

  automigrate (models: string[], done: Done): void {
    models.forEach(model => { this.tables.clear(model) })
    later(done, null)
  }

  autoupdate (models: string[], done: Done): void { later(done, null) }
  isActual (models: string[], done: Done): void { later(done, null, true) }

  #entry (model: string, key: string): { value: unknown, end: number } | undefined {
    const entry = this.#values.get(`${model}:${key}`)
    return entry === undefined || entry.end <= Date.now() ? undefined : entry
  }

  get (model: string, key: string, options: Loose, done: Done): void {
    later(done, null, copy(this.#entry(model, key)?.value) ?? null)
  }

  set (model: string, key: string, given: unknown, options: Loose, done: Done): void {
    this.#values.set(`${model}:${key}`, { value: copy(given), end: Date.now() + (options.ttl ?? Infinity) })
    later(done, null)
  }

  ttl (model: string, key: string, options: Loose, done: Done): void {
    const entry = this.#entry(model, key)
    if (entry === undefined) later(done, Object.assign(new Error('no such key'), { statusCode: 404 }))
    else later(done, null, entry.end === Infinity ? undefined : entry.end - Date.now())
  }

  expire (model: string, key: string, ttl: number, options: Loose, done: Done): void {
    const entry = this.#entry(model, key)
    if (entry === undefined) return later(done, Object.assign(new Error('no such key'), { statusCode: 404 }))
    entry.end = Date.now() + ttl
    later(done, null)
  }

  delete (model: string, key: string, options: Loose, done: Done): void {
    this.#values.delete(`${model}:${key}`)
    later(done, null)
  }

  keys (model: string, filter: Loose, options: Loose, done: Done): void {
    const keys = [...this.#values.keys()].filter(key => key.startsWith(`${model}:`)).map(key => key.slice(model.length + 1))
    later(done, null, keys.filter(key => this.#entry(model, key) !== undefined))
  }
}

const moduleOf = (Connector: new () => object): LoopbackConnectorModule => ({
  initialize (dataSource, callback) {
    dataSource.connector = new Connector() as Loose
    setImmediate(callback)
  }
})

export const fewMethods = moduleOf(FewMethods)
export const allMethods = moduleOf(AllMethods)
export { AllMethods }
