/**
 * What the definition of a model lets clients set: not what they only read (`readOnly`, `computed`), and once what they
 * say once (`writeOnce`).
 */
import type { FoundViolation } from '../errors.js'
import type { ClientRules } from '../interfaces/client-rules.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Row } from '../properties/types.js'
import { isSame, isSeen, type ClientWrite } from './client-write.js'
import { StoredInnerRows } from './stored-inner-rows.js'

/** Where the row is in what was sent, and what is wrong with it. */
interface Findings {
  readonly path: string
  readonly violations: FoundViolation[]
}

/**
 * The data without what the client may not say, or with violations of it (`ClientRules.refuses`).
 * @returns the same object where nothing is to change
 */
export function settableValues (
  model: CompiledModel, rules: ClientRules, data: Readonly<Row>, write: ClientWrite, findings: Findings
): Readonly<Row> {
  const judged = new JudgedRow(model, rules, data, write, findings)
  for (const name of rules.readOnly) if (!rules.computed.has(name)) judged.own(name, 'readOnly')
  for (const name of rules.computed) judged.computed(name)
  for (const name of rules.writeOnce) if (!mayBeSaid(write, name)) judged.own(name, 'writeOnce')
  for (const [name, inner] of rules.nested) judged.within(name, model.Model.registry.findModel(inner)?.compiled)
  return judged.data
}

class JudgedRow {
  #data: Readonly<Row>

  constructor (
    readonly model: CompiledModel, readonly rules: ClientRules, readonly sent: Readonly<Row>,
    readonly write: ClientWrite, readonly findings: Findings
  ) {
    this.#data = sent
  }

  /** What is left of what was sent, with what the row keeps. */
  get data (): Readonly<Row> {
    return this.#data
  }

  /** A property that the client may not say, unless it repeats what the row has. */
  own (name: string, code: 'readOnly' | 'writeOnce', isRefused = this.rules.refuses): void {
    const { sent, model, write: { kind, stored, reads } } = this
    const now = stored?.[name]
    const isSaid = Object.hasOwn(sent, name) && sent[name] !== undefined
    if (isSaid && isSeen(model, name, reads) && isSame(model, name, sent[name], now)) return
    if (isSaid && isRefused) this.#refuse(name, code)
    // The row keeps what it has.
    else if (kind === 'replace') this.#put(name, now ?? undefined)
    else if (isSaid) this.#put(name, undefined)
  }

  /** What the store works out of a new row, nobody knows before. */
  computed (name: string): void {
    if (this.write.kind !== 'create') this.own(name, 'readOnly', true)
    else if (Object.hasOwn(this.sent, name)) this.#put(name, undefined)
  }

  /** Rows of another model, which the client sends as a whole. */
  within (name: string, inner: CompiledModel | undefined): void {
    const { sent, model, write: { kind, stored, reads } } = this
    const value = sent[name]
    if (inner === undefined || value === undefined || value === null) return
    const now = stored?.[name]
    const isShown = isSeen(model, name, reads)
    if (isShown && !namesUnseen(inner, value) && isSame(model, name, value, now)) return
    if (kind === 'update' && stored === undefined && keepsSome(inner)) {
      // Of many rows nobody knows what each has there: it would be gone.
      if (this.rules.refuses) this.#refuse(name, 'readOnly')
      else this.#put(name, undefined)
      return
    }
    const known = new StoredInnerRows(isShown ? now : undefined)
    const path = `${this.findings.path}.${name}`
    this.#put(name, Array.isArray(value)
      ? value.map((item: unknown, i) => this.#inner(inner, item, known, `${path}[${String(i)}]`))
      : this.#inner(inner, value, known, path))
  }

  /** One of them: it replaces the row that is there, or is new. */
  #inner (inner: CompiledModel, item: unknown, known: StoredInnerRows, path: string): unknown {
    const { clientRules } = inner
    if (item === null || typeof item !== 'object' || clientRules === undefined) return item
    const stored = known.of(inner, item as Row)
    const reads = (each: string): boolean => !inner.protectedNames.has(each)
    const write: ClientWrite = stored === undefined ? { kind: 'create', reads } : { kind: 'replace', stored, reads }
    return settableValues(inner, clientRules, item as Row, write, { ...this.findings, path })
  }

  #refuse (name: string, code: 'readOnly' | 'writeOnce'): void {
    const { path, violations } = this.findings
    violations.push(unsettable(path, name, code))
  }

  /** @param value undefined: the property is left out */
  #put (name: string, value: unknown): void {
    if (this.#data === this.sent) this.#data = { ...this.sent }
    const row = this.#data as Row
    if (value === undefined) delete row[name]
    else row[name] = value
  }
}

/** Whether rows within a row have something that clients do not change, at any depth. */
function keepsSome (inner: CompiledModel, seen = new Set<string>()): boolean {
  const { clientRules: rules, name } = inner
  if (rules === undefined || seen.has(name)) return false
  seen.add(name)
  return rules.readOnly.size + rules.writeOnce.size > 0 || [...rules.nested.values()].some(below => {
    const model = inner.Model.registry.findModel(below)?.compiled
    return model !== undefined && keepsSome(model, seen)
  })
}

/** Whether rows within a row name what clients neither set nor see. */
function namesUnseen (inner: CompiledModel, value: unknown): boolean {
  const { clientRules: rules } = inner
  if (rules === undefined || value === null || typeof value !== 'object') return false
  if (Array.isArray(value)) return value.some(item => namesUnseen(inner, item))
  return Object.keys(value).some(name => {
    const isUnset = rules.readOnly.has(name) || rules.writeOnce.has(name)
    if (isUnset && (inner.hidden.has(name) || inner.protectedNames.has(name))) return true
    const below = rules.nested.get(name)
    const model = below === undefined ? undefined : inner.Model.registry.findModel(below)?.compiled
    return model !== undefined && namesUnseen(model, (value as Readonly<Row>)[name])
  })
}

/** What is said once: with the row, or where the row has nothing yet. */
const mayBeSaid = ({ kind, stored }: ClientWrite, name: string): boolean =>
  kind === 'create' || (stored !== undefined && (stored[name] === undefined || stored[name] === null))

/**
 * What is wrong with a value that clients may not set.
 *
 * ```js
 * unsettable('', 'role', 'readOnly').message // 'can only be read'
 * ```
 */
export function unsettable (prefix: string, name: string, code: 'readOnly' | 'writeOnce'): FoundViolation {
  const message = code === 'readOnly' ? 'can only be read' : 'can only be set once'
  return { path: `${prefix}.${name}`, code, message, info: {} }
}
