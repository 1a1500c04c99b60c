/**
 * Keeps access tokens hashed. Operations see a token by the text that its owner has; the store sees only its hash. Rows
 * that a list gives show the hash: it tells tokens apart and can be used to remove one, but not to log in. Rows of an
 * application that kept tokens as they are go on working; each is hashed when it is first looked up.
 */
import type { CompiledModel, Condition, Connector, Id, MaybePromise, Row, StoredModel } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { isIdTaken } from '@fastback/core/remote'
import { isSameText } from '../same-text.js'
import { generateToken, isStoredId, resemblesStoredId, storedId } from './token-text.js'

type Shown = Map<unknown, string>

/** The layer between models of tokens and their store. */
export function hashedIds (connector: Connector): Connector {
  const restore = (model: StoredModel, row: Row, shown: Shown): Row => {
    const name = idName(model)
    const text = shown.get(row[name])
    return text === undefined ? row : { ...row, [name]: text }
  }
  const withId = (model: StoredModel, row: Row): { row: Row, shown: Shown } => {
    const name = idName(model)
    const given = row[name]
    const text = typeof given === 'string' && given !== '' ? given : generateToken(lengthOf(model))
    const stored = hashed(text)
    return { row: { ...row, [name]: stored }, shown: new Map([[stored, text]]) }
  }
  return {
    name: connector.name,
    defaultMigration: connector.defaultMigration,
    generatedIdType: 'string',
    connect: () => connector.connect(),
    disconnect: () => connector.disconnect(),
    ping: () => connector.ping(),
    attach: model => {
      connector.attach(model)
    },
    autoupdate: models => connector.autoupdate(models),
    automigrate: models => connector.automigrate(models),
    isActual: models => connector.isActual(models),
    ...(connector.transactions === undefined ? {} : { transactions: connector.transactions }),

    create (model, given, options) {
      const { row, shown } = withId(model, given)
      return chain(connector.create(model, row, options), stored => restore(model, stored, shown))
    },
    createMany (model, given, options) {
      const rows = given.map(row => withId(model, row))
      return chain(
        connector.createMany(
          model,
          rows.map(({ row }) => row),
          options
        ),
        stored => stored.map((row, i) => restore(model, row, rows[i]?.shown ?? new Map()))
      )
    },
    findOrCreate (model, query, given, options) {
      const { row, shown } = withId(model, given)
      return chain(
        connector.findOrCreate(model, { ...query, where: translate(model, query.where, shown) }, row, options),
        ({ row: stored, created }) => ({ row: restore(model, stored, shown), created })
      )
    },
    find (model, query, options) {
      const shown: Shown = new Map()
      return chain(connector.find(model, { ...query, where: translate(model, query.where, shown) }, options), rows =>
        rows.map(row => restore(model, row, shown))
      )
    },
    findById (model, id, select, options) {
      const stored = hashed(String(id))
      return chain(connector.findById(model, stored, select, options), row => {
        if (row !== undefined) {
          return isExactly(model, row, stored) ? restore(model, row, new Map([[stored, String(id)]])) : undefined
        }
        if (resemblesStoredId(String(id))) return undefined
        return chain(connector.findById(model, id, (model as CompiledModel).selectAll, options), legacy =>
          legacy === undefined || !isExactly(model, legacy, String(id)) ? undefined : adopt(model, legacy, id, options)
        )
      })
    },
    count: (model, where, options) => connector.count(model, translate(model, where), options),
    updateAll: (model, where, changes, options) =>
      connector.updateAll(model, translate(model, where), changes, options),
    deleteAll: (model, where, options) => connector.deleteAll(model, translate(model, where), options),
    updateById: (model, id, changes, options) =>
      either(model, id, each => connector.updateById(model, each, changes, options)),
    replaceById: (model, id, row, options) =>
      either(model, id, each => connector.replaceById(model, each, { ...row, [idName(model)]: each }, options))
  }

  /**
   * Hashes a row that was stored with its token as it is. Of several requests at once one does it; a token that has
   * ended meanwhile is not there any more (security.md, S-43).
   */
  async function adopt (model: StoredModel, row: Row, id: Id, options: object): Promise<Row | undefined> {
    const name = idName(model)
    const stored = hashed(String(id))
    const isOld: Condition = { kind: 'compare', op: 'eq', path: pathOf(model), value: id }
    try {
      await connector.create(model, { ...row, [name]: stored }, options)
    } catch (error) {
      if (!isIdTaken(error)) throw error
      const found = await connector.findById(model, stored, (model as CompiledModel).selectAll, options)
      return found === undefined ? undefined : row
    }
    if (await connector.deleteAll(model, isOld, options) > 0) return row
    await connector.deleteAll(model, { ...isOld, value: stored }, options)
    return undefined
  }

  /** The row of a token: hashed, else as it is. */
  function either (
    model: StoredModel,
    id: Id,
    run: (id: Id) => MaybePromise<Row | undefined>
  ): MaybePromise<Row | undefined> {
    const stored = hashed(String(id))
    return chain(run(stored), row =>
      row === undefined && !resemblesStoredId(String(id))
        ? run(id)
        : row === undefined
          ? undefined
          : restore(model, row, new Map([[stored, String(id)]]))
    )
  }
}

/**
 * Whether a row is the one that was asked for, byte by byte: the store's collation may take another text for the same
 * (S-79). A selection may leave the id out; then it was looked up by a digest, which no other text has.
 */
function isExactly (model: StoredModel, row: Row, id: string): boolean {
  const found = row[idName(model)]
  return found === undefined ? isStoredId(id) : isSameText(found, id)
}

const hashed = (id: string): string => isStoredId(id) ? id : storedId(id)
const idName = (model: StoredModel): string => model.id?.name ?? 'id'
const lengthOf = (model: StoredModel): number => Number(model.settings.accessTokenIdLength ?? 64)

function pathOf (model: StoredModel): {
  property: string
  path: string[]
  type: CompiledModel['properties'][number]['type']
  declared: boolean
} {
  return {
    property: idName(model),
    path: [],
    type: (model.id as CompiledModel['properties'][number]).type,
    declared: true
  }
}

/** Conditions on ids hold for the hash, and for rows that are not hashed yet. */
function translate (
  model: StoredModel,
  condition: Condition | undefined,
  shown: Shown = new Map()
): Condition | undefined {
  if (condition === undefined) return undefined
  if ('conditions' in condition) {
    return { ...condition, conditions: condition.conditions.map(each => translate(model, each, shown) as Condition) }
  }
  // What is on rows of other models, or on words, names no token.
  if (condition.kind === 'related' || condition.kind === 'linked' || condition.kind === 'search') return condition
  if (condition.path.property !== idName(model) || condition.path.path.length > 0) return condition
  const forms = (value: unknown): unknown[] => {
    if (typeof value !== 'string' || isStoredId(value)) return [value]
    shown.set(storedId(value), value)
    return resemblesStoredId(value) ? [storedId(value)] : [storedId(value), value]
  }
  if (condition.kind === 'compare' && (condition.op === 'eq' || condition.op === 'neq')) {
    const values = forms(condition.value)
    if (values.length === 1) return condition
    return { kind: 'in', op: condition.op === 'eq' ? 'inq' : 'nin', path: condition.path, values: values as string[] }
  }
  return condition.kind === 'in' ? { ...condition, values: condition.values.flatMap(forms) as string[] } : condition
}
