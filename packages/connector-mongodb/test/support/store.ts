/** Documents and indexes of a server, and what a transaction sees of them. */
import type { Document } from 'mongodb'
import { valuesAt } from './bson-order.js'
import { matcher } from './matcher.js'

export class CommandError extends Error {
  constructor (readonly code: number, message: string, readonly details: Document = {}) {
    super(message)
  }
}

export interface Index {
  readonly name: string
  readonly key: Record<string, number | string>
  readonly unique?: boolean
  readonly partialFilterExpression?: Document
}

/** Equal for values that are equal in BSON. */
export function keyOf (value: any): string {
  if (value === undefined || value === null) return 'null'
  if (value instanceof Date) return `date ${value.getTime()}`
  if (typeof value !== 'object') return `${typeof value} ${String(value)}`
  if (value._bsontype === 'Binary') return `Binary ${value.toString('hex') as string}`
  if (value._bsontype !== undefined) return `${value._bsontype === 'Long' ? 'number' : value._bsontype as string} ${String(value)}`
  return JSON.stringify(value, (_key, inner) => inner?._bsontype === undefined ? inner : keyOf(inner))
}

export class Collection {
  documents = new Map<string, Document>()
  indexes: Index[] = [{ name: '_id_', key: { _id: 1 } }]
  readonly #written: Set<string> | undefined

  constructor (readonly name: string, readonly base?: Collection) {
    if (base === undefined) return
    this.documents = new Map(base.documents)
    this.indexes = base.indexes
    this.#written = new Set()
  }

  insert (document: Document): void {
    const key = keyOf(document._id)
    if (this.documents.has(key)) throw duplicate(this.name, { name: '_id_', key: { _id: 1 } }, document)
    this.#mustBeUnique(document, undefined)
    this.#write(key, document)
  }

  replace (old: Document, document: Document): void {
    this.#mustBeUnique(document, old)
    this.#write(keyOf(old._id), document)
  }

  remove (document: Document): void {
    this.#write(keyOf(document._id), undefined)
  }

  /** @throws CommandError 112 when another one changed the document since the transaction began */
  #write (key: string, document: Document | undefined): void {
    if (this.base !== undefined && this.#written?.has(key) === false) {
      if (this.base.documents.get(key) !== this.documents.get(key)) {
        throw new CommandError(112, 'WriteConflict', { errorLabels: ['TransientTransactionError'] })
      }
      this.#written.add(key)
    }
    if (document === undefined) this.documents.delete(key)
    else this.documents.set(key, document)
  }

  addIndex (index: Index): void {
    for (const document of this.documents.values()) this.#check(index, document, document)
    this.indexes = [...this.indexes, index]
  }

  #mustBeUnique (document: Document, old: Document | undefined): void {
    for (const index of this.indexes) this.#check(index, document, old)
  }

  #check (index: Index, document: Document, old: Document | undefined): void {
    if (index.unique !== true) return
    const compared = matcher(index.partialFilterExpression ?? {})
    if (!compared(document)) return
    const key = indexKey(index, document)
    for (const other of this.documents.values()) {
      if (other === old || !compared(other) || indexKey(index, other) !== key) continue
      throw duplicate(this.name, index, document)
    }
  }

  /** Brings what a transaction wrote into the collection that it saw. */
  commit (): void {
    for (const key of this.#written ?? []) {
      const document = this.documents.get(key)
      if (document === undefined) this.base?.documents.delete(key)
      else this.base?.documents.set(key, document)
    }
  }

  /** @throws CommandError 112 when another transaction was faster */
  mustFit (before: ReadonlyMap<string, Document>): void {
    for (const key of this.#written ?? []) {
      if (this.base?.documents.get(key) !== before.get(key)) {
        throw new CommandError(112, 'WriteConflict', { errorLabels: ['TransientTransactionError'] })
      }
    }
  }
}

const indexKey = ({ key }: Index, document: Document): string =>
  Object.keys(key).map(path => keyOf(valuesAt(document, path.split('.'))[0])).join()

const duplicate = (collection: string, { name, key }: Index, document: Document): CommandError => {
  const keyValue = Object.fromEntries(Object.keys(key).map(path => [path, document[path] ?? null]))
  const message = `E11000 duplicate key error collection: test.${collection} index: ${name} dup key: ${JSON.stringify(keyValue)}`
  return new CommandError(11000, message, { keyPattern: key, keyValue })
}

/** The collections of a server, or those that a transaction sees. */
export class Store {
  readonly collections = new Map<string, Collection>()
  readonly #before = new Map<string, ReadonlyMap<string, Document>>()

  constructor (readonly base?: Store) {
    for (const collection of base?.collections.values() ?? []) this.#open(collection.name, collection)
  }

  #open (name: string, base?: Collection): Collection {
    const collection = new Collection(name, base)
    this.collections.set(name, collection)
    this.#before.set(name, new Map(base?.documents))
    return collection
  }

  collection (name: string): Collection {
    const known = this.collections.get(name)
    if (known !== undefined) return known
    return this.base === undefined ? this.#open(name) : this.#open(name, this.base.collection(name))
  }

  commit (): void {
    for (const [name, collection] of this.collections) {
      collection.mustFit(this.#before.get(name) as Map<string, Document>)
    }
    for (const collection of this.collections.values()) collection.commit()
  }
}
