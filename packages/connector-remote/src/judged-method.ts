/**
 * A shared method of a model of another application, as somebody outside calls it: what this application hides and
 * closes stays so (security.md, S-93; service-connectors.md, SC-S7). Calls of code in the process go on as they are.
 */
import {
  errors, type ArgumentDefinition, type ModelClass, type OperationOptions, type Relation, type Row, type SharedMethod
} from '@fastback/core'
import { projectRow } from '@fastback/core/connector'
import {
  asInternal, compiledOf, filterToHandOn, guardHandedOn, includedOf, isFromCaller, relationsOf, setIncluded, sightOf,
  whereToHandOn
} from '@fastback/core/remote'
import { deletesUnseen } from './errors.js'
import { filterKind } from './judged-request.js'
import { ruledData, type Write } from './owner-rules.js'
import type { RemoteMethod } from './remote-call.js'

/** Methods of a condition that delete; others change what they find. */
const deleting: ReadonlySet<string> = new Set(['deleteAll', 'destroyAll', 'remove'])

/** What is asked of instances here. */
export interface Instance {
  getId (): unknown
  toObject (): Row
  readonly [member: string]: unknown
}

type Found = (result: unknown) => Promise<unknown>
type Call = (this: unknown, ...args: unknown[]) => Promise<unknown>

/** One call that is being judged. */
interface Judged {
  readonly self: Instance | undefined
  /** Arguments, changed to what goes on. */
  readonly values: unknown[]
  readonly options: OperationOptions
  /** What becomes of the result. */
  readonly after: Found[]
}

/** Puts the rules of a model before its calls. */
export class JudgedMethod {
  readonly #relation: Relation | undefined

  constructor (readonly Model: ModelClass, readonly method: SharedMethod, readonly remote: RemoteMethod) {
    this.#relation = method.relation === undefined ? undefined : relationsOf(Model).get(method.relation)
  }

  /**
   * @param self the instance, for instance methods
   * @param values arguments in their order
   * @throws RequestError 400, 403, 404 and 501 before anything is asked for; what the other application says
   */
  async call (self: Instance | undefined, values: readonly unknown[]): Promise<unknown> {
    const id = self?.getId()
    const options = this.remote.optionsOf(values)
    if (options === undefined || options === null || !isFromCaller(options)) return await this.remote.call(id, values)
    const call: Judged = { self, values: [...values], options, after: [] }
    const { builtin } = this.method
    if (builtin === 'exists') {
      const row = await this.#unseen(this.Model, values[0], options)
      if (row === true) return false
    } else if (builtin === 'deleteById') {
      if (await this.#unseen(this.Model, values[0], options)) return { count: 0 }
    } else if (builtin === 'findById') await this.#findById(call)
    else await this.#arguments(call)
    let result = await this.remote.call(id, call.values)
    for (const then of call.after) result = await then(result)
    return result
  }

  async #arguments (call: Judged): Promise<void> {
    const { method } = this
    for (const [index, argument] of method.accepts.entries()) {
      if (argument.modelId === true) await this.#id(call, index, argument)
    }
    for (const [index, argument] of method.accepts.entries()) {
      const { builtin, relation } = method
      const kind = argument.modelFilter ?? (builtin ?? relation ?? filterKind(argument))
      if (kind === 'filter') await this.#filter(call, index, argument)
      else if (kind === 'where') await this.#where(call, index, argument)
    }
    await this.#single(call)
    for (const [index, { modelSchema }] of method.accepts.entries()) {
      if (modelSchema !== undefined) await this.#data(call, index, this.#named(modelSchema.model))
    }
  }

  async #filter ({ values, options, after }: Judged, index: number, argument: ArgumentDefinition): Promise<void> {
    const target = this.#modelOf(argument)
    const handed = await filterToHandOn(target.compiled, values[index], options, this.#relationTo(target))
    values[index] = handed.json
    after.push(async result => {
      const rows = (Array.isArray(result) ? result : [result ?? []].flat()) as Row[]
      handed.mustHold(rows.length)
      await guardHandedOn(rows, handed.include, options)
      return result
    })
  }

  async #where ({ values, options }: Judged, index: number, argument: ArgumentDefinition): Promise<void> {
    const target = this.#modelOf(argument)
    // A method of the application's own may take no condition at all.
    const writes = argument.modelFilter !== 'where' || this.method.accessType !== 'WRITE'
      ? undefined
      : deleting.has(this.method.name) ? 'delete' : 'update'
    values[index] =
      await whereToHandOn(target.compiled, values[index], options, { writes, relation: this.#relationTo(target) })
  }

  /** Of the filter only `fields` and `include` count. A row is judged whole, whatever `fields` say. */
  async #findById ({ values, options, after }: Judged): Promise<void> {
    const { compiled } = this.Model
    const { fields, include } = (values[1] ?? {}) as Row
    const asked = { ...(fields === undefined ? {} : { fields }), ...(include === undefined ? {} : { include }) }
    const handed = await filterToHandOn(compiled, asked, { ...options, notify: false })
    const isInSight = await sightOf(compiled, options)
    const { where: _where, fields: part, ...json } = handed.json ?? {}
    const sent = isInSight === undefined && part !== undefined ? { ...json, fields: part } : json
    values[1] = Object.keys(sent).length === 0 ? undefined : sent
    after.push(async result => {
      if (result === null || result === undefined) return null
      const row = (result as Instance).toObject()
      if (isInSight?.(row) === false) return null
      const shown = isInSight === undefined || part === undefined
        ? result as Row
        : partOf(this.Model, projectRow(row, handed.query.select, compiled), result as Row)
      await guardHandedOn([shown], handed.include, options)
      return shown
    })
  }

  /** A row that the address names must be in sight. */
  async #id (call: Judged, index: number, argument: ArgumentDefinition): Promise<void> {
    const target = this.#modelOf(argument)
    const id = call.values[index]
    if (await this.#unseen(target, id, call.options)) throw errors.unknownId(target.modelName, id)
  }

  /** A relation's one row, and all of them at once. */
  async #single ({ self, options, after }: Judged): Promise<void> {
    const { name } = this.method
    const relation = this.#relation
    if (relation === undefined) return
    const target = relation.target()
    if (name === `__delete__${relation.name}` && target !== undefined) {
      if (await sightOf(target.compiled, options) !== undefined) throw deletesUnseen(target.modelName, name)
    } else if (!relation.multiple && ['update', 'destroy'].some(verb => name === `__${verb}__${relation.name}`)) {
      if (target === undefined || await sightOf(target.compiled, options) === undefined) return
      const get = self?.[`__get__${relation.name}`] as Call | undefined
      await this.#mustSee(await get?.call(self, undefined, asInternal(options)), options)
    } else if (!relation.multiple && name === `__get__${relation.name}`) {
      after.push(async result => {
        await this.#mustSee(result, options)
        return result
      })
    }
  }

  async #mustSee (row: unknown, options: OperationOptions): Promise<void> {
    if (row === null || typeof row !== 'object') return
    const instance = row as Instance
    const isInSight = await sightOf(compiledOf(instance as never), options)
    if (isInSight?.(instance.toObject()) === false) throw errors.noInstance(instance.getId())
  }

  /** Whether there is a row with this id that is out of sight. */
  async #unseen (Model: ModelClass, id: unknown, options: OperationOptions): Promise<boolean> {
    const isInSight = await sightOf(Model.compiled, options)
    if (isInSight === undefined) return false
    const row = await stored(Model, id, options)
    return row !== null && row !== undefined && !isInSight((row as Instance).toObject())
  }

  async #data ({ self, values, options }: Judged, index: number, Model: ModelClass): Promise<void> {
    const write = await this.#write(Model, self, values, options)
    if (write !== undefined && (write.kind === 'upsert' || write.kind === 'setNew')) {
      const id = write.id ?? (values[index] as Row | null | undefined)?.[Model.getIdName() ?? 'id']
      if (id !== undefined && await this.#unseen(Model, id, options)) throw errors.unknownId(Model.modelName, id)
    }
    if (write !== undefined) values[index] = await ruledData(write, values[index])
  }

  /** What a method does with the data that it gets. */
  async #write (
    Model: ModelClass, self: Instance | undefined, values: readonly unknown[], options: OperationOptions
  ): Promise<Write | undefined> {
    const { builtin, name } = this.method
    const of = (kind: Write['kind'], id?: unknown, keys?: Row): Write =>
      ({ Model, options, kind, id, ...(keys === undefined ? {} : { keys }), stored: id => stored(Model, id, options) })
    switch (builtin) {
      case 'create': return of('create')
      case 'patchOrCreate': return of('upsert')
      case 'replaceOrCreate': return of('setNew')
      case 'replaceById': return of('replace', values[0])
      case 'updateAll': return of('several')
      case 'patchAttributes': return of('patch', self?.getId())
      case 'upsertWithWhere': {
        const find = Model.find as unknown as Call
        const [row] = await find.call(Model, { where: values[0], limit: 1 }, asInternal(options)) as Instance[]
        return row === undefined ? of('create') : of('patch', row.getId())
      }
    }
    const verb = /^__([a-z]+)__/i.exec(name)?.[1]
    if (verb === 'create') return of('create', undefined, this.#keyOf(self))
    if (verb === 'updateById') return of('patch', values[this.method.nested === undefined ? 0 : 1])
    if (verb === 'link') return of('create')
    if (verb !== 'update') return undefined
    const get = self?.[name.replace('__update__', '__get__')] as Call | undefined
    const row = await get?.call(self, undefined, asInternal(options)) as Instance | null | undefined
    return row === null || row === undefined ? undefined : of('patch', row.getId())
  }

  /** The key that a route of a relation sets of a new row. */
  #keyOf (self: Instance | undefined): Row {
    const { type, definition: { foreignKey, primaryKey = 'id' } = { foreignKey: undefined } } = this.#relation ?? {}
    return (type === 'hasMany' || type === 'hasOne') && foreignKey !== undefined
      ? { [foreignKey]: (self as unknown as Row | undefined)?.[primaryKey] }
      : {}
  }

  #relationTo (target: ModelClass): Relation | undefined {
    return this.#relation?.isResolved === true && this.#relation.target() === target ? this.#relation : undefined
  }

  #modelOf ({ model }: ArgumentDefinition): ModelClass {
    return typeof model === 'string' ? this.#named(model) : this.Model
  }

  #named (name: string): ModelClass {
    return this.Model.registry.findModel(name) ?? this.Model
  }
}

/** A row as the other application has it, whatever is hidden from the caller. */
const stored = async (Model: ModelClass, id: unknown, options: OperationOptions): Promise<unknown> =>
  await (Model.findById as unknown as Call).call(Model, id, undefined, asInternal(options))

/** An instance of a part of a row, with what came with the whole. */
function partOf (Model: ModelClass, row: Row, whole: Row): Row {
  const part = new Model(row, { persisted: true }) as unknown as Row
  for (const [name, value] of Object.entries(includedOf(whole) ?? {})) setIncluded(part, name, value)
  return part
}
