/** Tells of what a store is asked to read, model by model, for as long as somebody wants to know. */
import type { CompiledProperty, StoredModel } from '../definition/stored-model.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Around } from '../observers.js'
import type { Condition, Query, Selection } from '../query/ast.js'
import type { StoredAggregation } from './aggregation.js'
import type { Connector, Id } from './connector.js'
import type { StoreRead } from './explanation.js'
import type { AttachedRow, Belonging } from './text-support.js'

/** Is told of reads and of the requests that connectors send, and does them. */
export interface Recorder {
  read<T> (read: StoreRead, work: () => MaybePromise<T>): MaybePromise<T>
  /** What a connector sends for them; nothing comes from connectors that send no requests of their own. */
  readonly request?: Around | undefined
}

type Reading = (...args: unknown[]) => MaybePromise<unknown>
/** What is read by a call, of its arguments after the model. */
type Asked = (model: StoredModel, args: readonly unknown[]) => Omit<StoreRead, 'model' | 'operation'>

const equals = ({ name, type }: CompiledProperty, value: Id): Condition =>
  ({ kind: 'compare', path: { property: name, path: [], type, declared: true }, op: 'eq', value })

const nothing: Selection = { names: [], extra: 'none' }
const all: Query = { where: undefined, order: [], limit: undefined, skip: 0, select: nothing, include: [] }

const ofQuery: Asked = (_, [query]) => ({ query: query as Query, others: [] })
const ofId: Asked = ({ id }, [value]) =>
  ({ query: { ...all, where: id && equals(id, value as Id), limit: 1 }, others: [] })
const ofCondition: Asked = (_, [where]) => ({ query: { ...all, where: where as Condition | undefined }, others: [] })

const ofGroups: Asked = (model, [aggregation]) => ofCondition(model, [(aggregation as StoredAggregation).where])

const reads: Readonly<Record<string, Asked>> =
  { find: ofQuery, findById: ofId, count: ofCondition, aggregate: ofGroups }
const textReads: Readonly<Record<string, Asked>> = {
  find: ofQuery,
  findById: ofId,
  findByIdWhere: (model, [id, where]) => {
    const byId = ofId(model, [id])
    const conditions = [byId.query?.where, where as Condition].filter(each => each !== undefined)
    return { ...byId, query: { ...byId.query as Query, where: { kind: 'and', conditions } } }
  },
  findKeyed: ofQuery,
  findBeside: (_, [query, beside]) => ({ query: query as Query, others: [(beside as AttachedRow).model] }),
  findIncluding: (_, [query, belonging]) =>
    ({ query: query as Query, others: (belonging as readonly Belonging[]).map(({ model }) => model) })
}

/**
 * Has the reads of a connector go through a recorder.
 * @returns takes it back; what is put around the connector later must be taken back before
 */
export function recordReads (connector: Connector, recorder: Pick<Recorder, 'read'>): () => void {
  const undo = recorded(connector, reads, recorder)
  const undoTexts = connector.text === undefined ? undefined : recorded(connector.text, textReads, recorder)
  return () => {
    undoTexts?.()
    undo()
  }
}

function recorded (
  target: object, functions: Readonly<Record<string, Asked>>, recorder: Pick<Recorder, 'read'>
): () => void {
  const before: PropertyDescriptorMap = {}
  const names = Object.keys(functions).filter(name => typeof Reflect.get(target, name) === 'function')
  for (const operation of names) {
    const own = Object.getOwnPropertyDescriptor(target, operation)
    if (own !== undefined) before[operation] = own
    const read = Reflect.get(target, operation) as Reading
    const asked = functions[operation] as Asked
    const value: Reading = (model, ...args) => {
      const told = { model: model as StoredModel, operation, ...asked(model as StoredModel, args) }
      return recorder.read(told, () => read.call(target, model, ...args))
    }
    Object.defineProperty(target, operation, { value, configurable: true, writable: true })
  }
  return () => {
    for (const name of names) Reflect.deleteProperty(target, name)
    Object.defineProperties(target, before)
  }
}
