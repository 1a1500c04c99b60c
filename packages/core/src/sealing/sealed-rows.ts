/** The sealed values of a model's rows: made for the store, and opened. */
import { sealedUnreadable } from './sealing-errors.js'
import type { CompiledProperty, StoredModel } from '../definition/stored-model.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { coerceValue } from '../properties/coerce.js'
import type { Row } from '../properties/types.js'
import { rowId } from '../query/id.js'
import type { KeyRing } from './key-ring.js'
import { hashNameOf, storedForm } from './sealed-properties.js'
import { keyIdOf, openText, pendingText, saysSealed, sealText } from './sealed-text.js'

/** The id of a row; undefined for one that has none yet. */
export function idOf (model: StoredModel, row: Readonly<Row>): unknown {
  return rowId(model, row) ?? undefined
}

/** What values are bound to: the id of their row, as text. */
export function boundId (model: StoredModel, row: Readonly<Row>): string | undefined {
  const id = idOf(model, row)
  return id === undefined ? undefined : id instanceof Date ? id.toISOString() : String(id)
}

interface SealedProperty {
  readonly name: string
  readonly type: CompiledProperty['type']
  readonly isText: boolean
  /** The column with its hash. */
  readonly hash: string | undefined
  /** What keys are derived for. */
  readonly purpose: string
  readonly searchPurpose: string
}

/** How the rows of one model are sealed, with the keys of its data source. */
export class SealedRows {
  /** The model as its store knows it. */
  readonly stored: StoredModel
  /** The same for writes that change no value, and so no version of a row. */
  readonly uncounted: StoredModel
  readonly properties: readonly SealedProperty[]
  readonly #byName: ReadonlyMap<string, SealedProperty>

  constructor (readonly model: StoredModel, readonly ring: KeyRing) {
    this.stored = storedForm(model)
    this.uncounted = model.version === undefined ? this.stored : storedForm(model, false)
    this.properties = model.properties.filter(({ sealed }) => sealed !== undefined).map(({ name, type, sealed }) => ({
      name,
      type,
      isText: type.kind === 'string',
      hash: sealed === 'searchable' ? hashNameOf(name) : undefined,
      purpose: `sealed ${JSON.stringify([model.name, name])}`,
      searchPurpose: `search ${JSON.stringify([model.name, name])}`
    }))
    this.#byName = new Map(this.properties.map(property => [property.name, property]))
  }

  isSealed (name: string): boolean {
    return this.#byName.has(name)
  }

  /** Whether a row has a value that is to be sealed. */
  hasValues (row: Readonly<Row>): boolean {
    return this.properties.some(({ name }) => row[name] !== undefined && row[name] !== null)
  }

  /** Loads the key that seals. */
  ready (): MaybePromise<void> {
    return this.ring.load([this.ring.current])
  }

  readonly hashes = (property: string, text: string): readonly string[] =>
    this.ring.hashes(this.#byName.get(property)?.searchPurpose ?? property, text)

  /**
   * A row for the store. Nobody else writes the columns with hashes.
   * @param id what its values are bound to; undefined: they are there, and do not open
   */
  seal (row: Readonly<Row>, id: string | undefined): Row {
    const sealed: Row = { ...row }
    for (const property of this.properties) {
      const { name, hash } = property
      if (hash !== undefined) delete sealed[hash]
      if (!(name in row)) continue
      const value = row[name]
      const text = value === undefined || value === null ? undefined : textOf(property, value)
      if (text !== undefined) sealed[name] = id === undefined ? pendingText : this.sealText(property, id, text)
      if (hash !== undefined) sealed[hash] = text === undefined ? value : this.hashes(name, text)[0]
    }
    return sealed
  }

  /** A text as it is stored with the current key, which is loaded. */
  sealText (property: SealedProperty, id: string, text: string): string {
    const { current } = this.ring
    const key = this.ring.key(current, property.purpose)
    if (key === undefined) throw sealedUnreadable(this.model.name, property.name, id, `there is no key "${current}"`)
    return sealText({ id: current, key }, this.#about(property, id), text)
  }

  /** The sealed properties of a row, and nothing else of it. */
  sealedOnly (row: Readonly<Row>): Row {
    return Object.fromEntries(Object.entries(row).filter(([name]) => this.#byName.has(name)))
  }

  /**
   * Rows of the store with their values opened.
   * @param given what was written of each: it is known, and not opened
   * @throws RequestError 500 SEALED_VALUE_UNREADABLE, 503 SEALING_KEY_UNAVAILABLE
   */
  open (rows: readonly Row[], given: readonly Row[] = []): MaybePromise<Row[]> {
    const ids = new Set<string>()
    for (const [i, row] of rows.entries()) {
      for (const { name } of this.properties) {
        if (given[i]?.[name] !== undefined) continue
        const id = saysSealed(row[name]) ? keyIdOf(row[name]) : undefined
        if (id !== undefined) ids.add(id)
      }
    }
    return chain(this.ring.load(ids), () => rows.map((row, i) => this.#opened(row, given[i])))
  }

  #opened (row: Row, given: Row | undefined): Row {
    const opened = this.#withoutHashes(row)
    let id: string | undefined
    for (const property of this.properties) {
      const { name } = property
      const value = row[name]
      if (value === undefined || value === null) continue
      const known = given?.[name] ?? undefined
      // What is known is copied: a row that is read is nobody else's.
      const text = known === undefined
        ? this.openText(property, id ??= boundId(this.model, row) ?? '', value)
        : textOf(property, known)
      opened[name] = this.#parsed(property, text)
    }
    return opened
  }

  /**
   * The text of a stored value.
   * @param mayBePlain whether it may be one that is not sealed yet
   * @throws RequestError 500 SEALED_VALUE_UNREADABLE
   */
  openText (property: SealedProperty, id: string, value: unknown, mayBePlain = this.ring.acceptPlain): string {
    const refuse = (why: string): never => { throw sealedUnreadable(this.model.name, property.name, id, why) }
    if (!saysSealed(value)) {
      return mayBePlain ? plainText(property, value) : refuse('it is not sealed, and "sealing.acceptPlain" is not set')
    }
    const keyId = keyIdOf(value)
    if (keyId === undefined) return refuse('it is damaged')
    const key = this.ring.key(keyId, property.purpose)
    if (key === undefined) return refuse(`there is no key "${keyId}"`)
    return openText(key, this.#about(property, id), value) ??
      refuse('it was changed, or is the value of another row or property')
  }

  #about ({ name }: SealedProperty, id: string): readonly string[] {
    return [this.model.name, name, id]
  }

  #parsed ({ isText, type, name }: SealedProperty, text: string): unknown {
    if (isText) return text
    try {
      return coerceValue(type, JSON.parse(text), name, () => {})
    } catch {
      throw sealedUnreadable(this.model.name, name, '', 'it is no JSON')
    }
  }

  #withoutHashes (row: Readonly<Row>): Row {
    const shown = { ...row }
    for (const { hash } of this.properties) if (hash !== undefined) delete shown[hash]
    return shown
  }
}

/** What is sealed of a value. */
const textOf = ({ isText }: SealedProperty, value: unknown): string =>
  isText ? String(value) : JSON.stringify(value)

/** A value that was stored before it was sealed. */
const plainText = ({ isText }: SealedProperty, value: unknown): string =>
  typeof value === 'string' ? value : isText ? String(value) : JSON.stringify(value)
