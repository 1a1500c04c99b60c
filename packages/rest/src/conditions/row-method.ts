/** Which methods give or write one row, of which model, and where the request says which. */
import type { BuiltinOperation, ModelClass, SharedMethod } from '@fastback/core'

/** What a method does with its row. */
export type RowKind = 'read' | 'head' | 'create' | 'upsert' | 'write' | 'delete'

export interface RowMethod {
  readonly kind: RowKind
  readonly Target: ModelClass
  /** The parameter of the path that is the row's id; `data`: a member of the data. Undefined: others lead to it. */
  readonly id: 'id' | 'fk' | 'data' | undefined
  /** The position of the data among the arguments; -1: there are none. */
  readonly data: number
  /** The position of the filter; -1: there is none. */
  readonly filter: number
  /** Whether what `If-Match` says is compared. */
  readonly compares: boolean
}

type Kinds = Readonly<Partial<Record<string, readonly [RowKind, RowMethod['id']]>>>

const builtins: Kinds & Readonly<Partial<Record<BuiltinOperation, readonly [RowKind, RowMethod['id']]>>> = {
  findById: ['read', 'id'],
  findOne: ['read', undefined],
  exists: ['head', 'id'],
  create: ['create', undefined],
  upsertWithWhere: ['create', undefined],
  patchOrCreate: ['upsert', 'data'],
  replaceOrCreate: ['upsert', 'data'],
  patchAttributes: ['write', 'id'],
  replaceById: ['write', 'id'],
  deleteById: ['delete', 'id']
}

const ofRelations: Kinds = {
  get: ['read', undefined],
  findById: ['read', 'fk'],
  create: ['create', undefined],
  update: ['write', undefined],
  updateById: ['write', 'fk'],
  destroy: ['delete', undefined],
  destroyById: ['delete', 'fk']
}

/** Relations whose writes are those of one row, and of nothing beside it. */
const plainRelations: ReadonlySet<string> = new Set(['hasMany', 'hasOne', 'belongsTo'])

const isWrite = (kind: RowKind): boolean => kind === 'write' || kind === 'delete' || kind === 'upsert'

/**
 * What a method does with one row; undefined for methods of many rows, or of none.
 *
 * ```js
 * rowMethodOf(method)?.kind // 'write', for PATCH /Notes/:id
 * ```
 */
export function rowMethodOf (method: SharedMethod): RowMethod | undefined {
  const data = method.accepts.findIndex(({ modelSchema }) => modelSchema !== undefined)
  const filter = method.accepts.findIndex(({ arg }) => arg === 'filter')
  if (method.builtin !== undefined) {
    const [kind, id] = builtins[method.builtin] ?? []
    return kind === undefined
      ? undefined
      : { kind, Target: method.model, id, data, filter, compares: isWrite(kind) }
  }
  const relation = method.relation === undefined ? undefined : method.model.compiled.relations.get(method.relation)
  const Target = relation?.target()
  if (relation === undefined || Target === undefined || relation.type.startsWith('embeds')) return undefined
  const verb = /^__(\w+?)__/.exec(method.name)?.[1] ?? ''
  const [kind, id] = Object.hasOwn(ofRelations, verb) ? ofRelations[verb] ?? [] : []
  if (kind === undefined || (verb === 'get' && relation.multiple)) return undefined
  const isPlain = plainRelations.has(relation.type) && relation.definition.through === undefined
  return { kind, Target, id, data, filter, compares: isWrite(kind) && isPlain }
}
