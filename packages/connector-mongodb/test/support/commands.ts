/** What the server does on commands, as far as the connector sends them. */
import { BSON, ObjectId, type Document } from 'mongodb'
import { compareBson, sortValue } from './bson-order.js'
import { matcher } from './matcher.js'
import { CommandError, type Collection, type Index, type Store } from './store.js'

type Command = (store: Store, command: Document, cursors: Cursors) => Document

/** What is left of long responses. */
export class Cursors {
  readonly #left = new Map<number, Document[]>()
  #last = 0

  /** The first batch, and the number of the cursor that has the others. */
  open (ns: string, all: Document[], { batchSize = 101, singleBatch = false }: Document): Document {
    const [firstBatch, left] = [all.slice(0, batchSize), all.slice(batchSize)]
    const id = left.length === 0 || singleBatch === true ? 0 : ++this.#last
    if (id !== 0) this.#left.set(id, left)
    return { cursor: { id: BigInt(id), ns, firstBatch } }
  }

  more (id: number, ns: string, { batchSize = 1000 }: Document): Document {
    const left = this.#left.get(id)
    if (left === undefined) throw new CommandError(43, 'cursor not found')
    const nextBatch = left.splice(0, batchSize)
    if (left.length === 0) this.#left.delete(id)
    return { cursor: { id: BigInt(left.length === 0 ? 0 : id), ns, nextBatch } }
  }

  close (id: number): void {
    this.#left.delete(id)
  }
}

const found = (collection: Collection, filter: Document = {}): Document[] =>
  [...collection.documents.values()].filter(matcher(filter))

function sorted (documents: Document[], sort: Record<string, number> = {}): Document[] {
  return documents.sort((a, b) => {
    for (const [path, direction] of Object.entries(sort)) {
      const result = compareBson(sortValue(a, path, direction), sortValue(b, path, direction)) * direction
      if (result !== 0) return result
    }
    return 0
  })
}

function projected (document: Document, projection: Document = {}): Document {
  const { _id: withId, ...named } = projection
  const entries = Object.entries(document)
  if (Object.values(named).some(value => value === 0 || value === false)) {
    return Object.fromEntries(entries.filter(([key]) => !Object.hasOwn(named, key)))
  }
  if (Object.keys(projection).length === 0) return document
  return Object.fromEntries(entries.filter(([key]) => key === '_id' ? withId !== 0 : Object.hasOwn(named, key)))
}

/** A changed copy. */
function updated (document: Document, update: Document, isNew = false): Document {
  if (!Object.keys(update).some(key => key.startsWith('$'))) return { _id: document._id, ...update }
  const copy = { ...document }
  for (const [operator, fields] of Object.entries(update) as Array<[string, Document]>) {
    for (const [name, value] of Object.entries(fields)) {
      if (name.startsWith('$') || name === '') throw new CommandError(52, `the field name ${name} is not allowed`)
      if (operator === '$set' || (operator === '$setOnInsert' && isNew)) copy[name] = value
      else if (operator === '$unset') delete copy[name]
      else if (operator === '$inc') copy[name] = Number(copy[name] ?? 0) + Number(value)
      else if (operator === '$max') copy[name] = Math.max(Number(copy[name] ?? -Infinity), Number(value))
      else if (operator !== '$setOnInsert') throw new CommandError(9, `unknown modifier: ${operator}`)
    }
  }
  return copy
}

/** The document that an upsert makes. */
function upserted (filter: Document, update: Document): Document {
  const known = Object.entries(filter).filter(([key, value]) => !key.startsWith('$') && (value === null || typeof value !== 'object' || value._bsontype !== undefined))
  return updated({ _id: new ObjectId(), ...Object.fromEntries(known) }, update, true)
}

/** Runs the parts of a command; a refused one is told of, and ends it unless it is unordered. */
function eachPart (parts: Document[], ordered: unknown, work: (part: Document) => void): Document {
  const writeErrors: Document[] = []
  for (const [index, part] of parts.entries()) {
    try {
      work(part)
    } catch (error) {
      if (!(error instanceof CommandError) || error.details.errorLabels !== undefined) throw error
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.details })
      if (ordered !== false) break
    }
  }
  return writeErrors.length === 0 ? {} : { writeErrors }
}

const insert: Command = (store, command) => {
  const collection = store.collection(command.insert)
  let n = 0
  const errors = eachPart(command.documents, command.ordered, document => {
    for (const key of Object.keys(document)) if (key.startsWith('$')) throw new CommandError(2, `the name ${key} is not allowed`)
    if (BSON.calculateObjectSize(document) > 16777216) throw new CommandError(10334, 'BSONObj size is invalid')
    collection.insert({ _id: new ObjectId(), ...document })
    n++
  })
  return { n, ...errors }
}

const update: Command = (store, command) => {
  const collection = store.collection(command.update)
  let [n, nModified] = [0, 0]
  const upsertedIds: Document[] = []
  const errors = eachPart(command.updates, command.ordered, ({ q, u, multi, upsert }) => {
    const all = found(collection, q)
    for (const document of multi === true ? all : all.slice(0, 1)) {
      n++
      collection.replace(document, updated(document, u))
      nModified++
    }
    if (all.length > 0 || upsert !== true) return
    const made = upserted(q, u)
    collection.insert(made)
    n++
    upsertedIds.push({ index: 0, _id: made._id })
  })
  return { n, nModified, ...(upsertedIds.length === 0 ? {} : { upserted: upsertedIds }), ...errors }
}

const remove: Command = (store, command) => {
  const collection = store.collection(command.delete)
  let n = 0
  const errors = eachPart(command.deletes, command.ordered, ({ q, limit }) => {
    const all = found(collection, q)
    for (const document of limit === 1 ? all.slice(0, 1) : all) {
      collection.remove(document)
      n++
    }
  })
  return { n, ...errors }
}

const findAndModify: Command = (store, command) => {
  const collection = store.collection(command.findAndModify ?? command.findandmodify)
  const [document] = sorted(found(collection, command.query), command.sort)
  if (document === undefined) {
    if (command.upsert !== true) return { value: null, lastErrorObject: { n: 0, updatedExisting: false } }
    const made = upserted(command.query, command.update)
    collection.insert(made)
    const lastErrorObject = { n: 1, updatedExisting: false, upserted: made._id }
    return { value: command.new === true ? made : null, lastErrorObject }
  }
  const changed = updated(document, command.update)
  collection.replace(document, changed)
  const value = projected(command.new === true ? changed : document, command.fields)
  return { value, lastErrorObject: { n: 1, updatedExisting: true } }
}

const find: Command = (store, command, cursors) => {
  const { skip = 0, limit = 0 } = command
  const all = sorted(found(store.collection(command.find), command.filter), command.sort)
  const page = all.slice(skip, limit === 0 ? undefined : skip + Math.abs(limit))
  return cursors.open(`${String(command.$db)}.${String(command.find)}`, page.map(document => projected(document, command.projection)), command)
}

/** Only what `countDocuments` sends. */
const aggregate: Command = (store, command, cursors) => {
  const [{ $match }] = command.pipeline as [Document]
  const n = found(store.collection(command.aggregate), $match).length
  return cursors.open('test.$cmd', n === 0 ? [] : [{ _id: 1, n }], {})
}

const createIndexes: Command = (store, command) => {
  const collection = store.collection(command.createIndexes)
  for (const index of command.indexes as Index[]) {
    if (collection.indexes.some(({ name }) => name === index.name)) throw new CommandError(86, 'an index of that name exists')
    collection.addIndex(index)
  }
  return {}
}

const existing = (store: Store, name: string): Collection => {
  if (!store.collections.has(name)) throw new CommandError(26, 'ns not found')
  return store.collection(name)
}

export const commands: Readonly<Record<string, Command>> = {
  insert,
  update,
  delete: remove,
  findAndModify,
  find,
  aggregate,
  createIndexes,
  getMore: (_store, command, cursors) => cursors.more(Number(command.getMore), `${String(command.$db)}.${String(command.collection)}`, command),
  killCursors: (_store, command, cursors) => {
    for (const id of command.cursors) cursors.close(Number(id))
    return {}
  },
  listIndexes: (store, command, cursors) => cursors.open('test.$cmd', existing(store, command.listIndexes).indexes.map(index => ({ v: 2, ...index })), {}),
  dropIndexes: (store, command) => {
    const collection = existing(store, command.dropIndexes)
    collection.indexes = collection.indexes.filter(({ name }) => name !== command.index)
    return {}
  },
  drop: (store, command) => {
    existing(store, command.drop)
    store.collections.delete(command.drop)
    return {}
  },
  ping: () => ({}),
  endSessions: () => ({})
}
