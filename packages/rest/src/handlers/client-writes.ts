/**
 * Data that a client sends for a row, its bytes read, without what clients may not say (security.md, S-99). They are
 * judged when the arguments have been read, before hooks of the application: what these add is theirs.
 */
import type { CompiledModel, MaybePromise, ModelClass, OperationOptions, Row, SharedMethod } from '@fastback/core'
import { chain, eachInSequence } from '@fastback/core/connector'
import {
  asInternal, clientBytes, clientValues, findRowById, findRows, guardsClientValues, instantiate, lookOf,
  LOOKED_AT, narrowsRows, ruleOf, type ClientWrite
} from '@fastback/core/remote'
import type { FastifyRequest } from 'fastify'
import { pathValue } from '../parse/text.js'

/** Judges the data among the arguments of a call, and puts what may be written in their place. */
export type ClientWrites = (
  values: unknown[], request: FastifyRequest, options: OperationOptions
) => MaybePromise<void>

/** How the data of a method are judged; undefined where it takes none. */
export function clientWritesOf (method: SharedMethod): ClientWrites | undefined {
  const index = method.accepts.findIndex(({ modelSchema }) => modelSchema !== undefined)
  const schema = method.accepts[index]?.modelSchema
  const Model = schema === undefined ? undefined : method.model.registry.models[schema.model]
  if (schema === undefined || Model === undefined) return undefined
  const bytes = Model.compiled.readBytes === undefined ? undefined : bytesAt(index, Model)
  const isGuarded = guardsClientValues(Model.compiled)
  const mayBeThere = method.builtin !== 'create' && schema.variant !== 'create'
  const whereAt = method.accepts.findIndex(({ arg }) => arg === 'where')
  return (values, request, options) => {
    const { compiled } = Model
    if (!isGuarded && !narrowsRows(compiled, options)) return bytes?.(values, request, options)
    const data = values[index]
    if (data === null || typeof data !== 'object') return
    const judge = (row: Row, { kind, stored }: ClientWrite, prefix = ''): MaybePromise<Readonly<Row>> =>
      chain(ruleOf(compiled, kind === 'create' ? 'create' : 'update', options), rule => {
        const write = { kind, stored, writes: rule?.writes, reads: rule?.reads }
        const judged = clientValues(compiled, row, write, prefix)
        if (prefix === '' && mayBeThere) options[LOOKED_AT] = lookOf(compiled, judged, write)
        return judged
      })
    if (Array.isArray(data)) {
      const rows: Array<Readonly<Row>> = []
      const add = (row: Row, i: number): MaybePromise<void> =>
        chain(judge(row, { kind: 'create' }, `[${String(i)}]`), each => { rows.push(each) })
      return chain(eachInSequence(data as Row[], add), () => { values[index] = rows })
    }
    const row = data as Row
    const write = writeOf(method, Model, schema.variant, { row, where: values[whereAt], request, options })
    return chain(write, known => chain(judge(row, known), judged => { values[index] = judged }))
  }
}

/** Where clients may say everything, no row is looked at. */
const bytesAt = (index: number, { compiled }: ModelClass): ClientWrites => values => {
  const data = values[index]
  values[index] = Array.isArray(data)
    ? data.map((row, i) => clientBytes(compiled, row as Row, `[${String(i)}]`))
    : clientBytes(compiled, data as Row)
}

interface Call {
  readonly row: Row
  readonly where: unknown
  readonly request: FastifyRequest
  readonly options: OperationOptions
}

/** What the call does, and the row that it does it to. */
function writeOf (
  method: SharedMethod, Model: ModelClass, variant: string, { row, where, request, options }: Call
): MaybePromise<ClientWrite> {
  const { compiled } = Model
  const kind = variant === 'replace' ? 'replace' : 'update'
  const { id, fk } = request.params as { id?: string, fk?: string }
  const unless = (stored: Readonly<Row> | undefined): ClientWrite =>
    stored === undefined ? { kind: 'create' } : { kind, stored }
  switch (method.builtin) {
    case 'patchAttributes':
    case 'replaceById': return chain(rowOf(compiled, id, options), stored => ({ kind, stored }))
    case 'patchOrCreate':
    case 'replaceOrCreate': {
      const given = compiled.id === undefined ? undefined : row[compiled.id.name]
      return given === undefined || given === null ? { kind: 'create' } : chain(rowOf(compiled, given, options), unless)
    }
    case 'upsertWithWhere': return chain(
      findRows(compiled, { where, limit: 2 }, options), found => found.length > 1 ? { kind } : unless(found[0])
    )
    case 'updateAll': return { kind }
  }
  if (variant === 'create') return { kind: 'create' }
  if (fk !== undefined) return chain(rowOf(compiled, fk, options), stored => ({ kind, stored }))
  return chain(relatedRow(method, id, options), stored => ({ kind, stored }))
}

/** Rows that stand in others are not looked up. */
const rowOf = (model: CompiledModel, id: unknown, options: OperationOptions): MaybePromise<Row | undefined> =>
  model.Model.dataSource === null || id === undefined
    ? undefined
    : findRowById(model, typeof id === 'string' ? pathValue(id) : id, undefined, withoutHooks(options))

/** What a relation to one row leads to. */
function relatedRow (
  { model: { compiled }, relation }: SharedMethod, id: unknown, options: OperationOptions
): MaybePromise<Row | undefined> {
  const get = relation === undefined
    ? undefined
    : compiled.relations.get(relation)?.methods().find(({ name }) => name === `__get__${relation}`)
  if (get === undefined) return undefined
  return chain(rowOf(compiled, id, options), owner => owner === undefined
    ? undefined
    : get.call(instantiate(compiled, owner), [undefined], withoutHooks(options)) as MaybePromise<Row | undefined>)
}

const withoutHooks = (options: OperationOptions): OperationOptions => ({ ...asInternal(options), notify: false })
