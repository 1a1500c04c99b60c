/** Rows of relations within the data of a row: judged as those that are sent by themselves, together with the row. */
import type { CompiledModel, Relation, Row, Validator, Violation } from '@fastback/core'
import { looseRow, sentenceOf, splitRow } from '@fastback/core/remote'
import type { ReaderContext } from './argument-reader.js'
import { isObject } from './convert.js'
import type { JsonSchema } from './schema.js'

/** A row with those of its relations, as they are judged, and what is wrong with any. */
export interface JudgedRow { readonly row: Row, readonly violations: readonly Violation[] }

type Judge = (plain: Row) => readonly Violation[]

/** Judges rows within rows by the schemas of their models. */
export class NestedRows {
  readonly #checks = new WeakMap<CompiledModel, Map<'create' | 'patch', Validator>>()

  constructor (readonly context: ReaderContext) {}

  /**
   * A row and those within it.
   *
   * ```js
   * const { row, violations } = nested.judged(model, body, plain => validate(plain) ?? [])
   * ```
   * @param judge what is wrong with the row itself
   */
  judged (model: CompiledModel, value: Row, judge: Judge): JudgedRow {
    const { plain, nested } = splitRow(model, value)
    if (nested.length === 0) return { row: value, violations: judge(value) }
    const keys = new Set(nested.flatMap(([relation]) => relation.type === 'belongsTo' ? relation.joinKeys : []))
    // The key of a row that comes along is not known yet.
    const violations = [...judge(plain).filter(each => !isMissing(each, keys))]
    const row: Row = { ...plain }
    for (const [relation, given] of nested) row[relation.name] = this.#rows(relation, plain, given, violations)
    return { row, violations }
  }

  #rows (relation: Relation, owner: Row, given: unknown, violations: Violation[]): unknown {
    const model = relation.targetOf(owner)?.compiled
    const path = `.${relation.name}`
    if (model === undefined || (given === null && !relation.multiple)) return given
    if (!relation.multiple) return this.#one(relation, model, given, path, violations)
    if (Array.isArray(given)) {
      return given.map((each, i) => this.#one(relation, model, each, `${path}[${i}]`, violations))
    }
    violations.push(mustBe('array', path))
    return given
  }

  #one (relation: Relation, model: CompiledModel, value: unknown, path: string, violations: Violation[]): unknown {
    if (!isObject(value)) {
      violations.push(mustBe('object', path))
      return value
    }
    const idName = model.id?.name ?? 'id'
    const { [idName]: id, ...rest } = this.#asRow(model, value)
    const isKnown = id !== undefined && id !== null
    const { foreignKey = '', polymorphic } = relation.definition
    const discriminator = typeof polymorphic === 'object' ? polymorphic.discriminator ?? '' : ''
    const keys = new Set(relation.type === 'belongsTo' ? [] : [foreignKey, discriminator])
    const { row, violations: found } = this.judged(model, rest, plain =>
      (this.#validator(model, isKnown ? 'patch' : 'create')(plain) ?? []).filter(each => !isMissing(each, keys)))
    violations.push(...found.map(each => ({ ...each, path: path + each.path })))
    return isKnown ? { [idName]: id, ...row } : row
  }

  /** As rows of a body: converted where they are taken loosely, texts as they are stored. */
  #asRow (model: CompiledModel, value: Row): Row {
    const { coercion, registry: { models } } = this.context
    const { plain, nested } = splitRow(model, value)
    const loose = coercion === 'loopback3' ? looseRow(model, plain, name => models[name]?.compiled) : plain
    const row = model.storedTexts === undefined ? loose : model.storedTexts(loose)
    return nested.length === 0 ? row : { ...row, ...Object.fromEntries(nested.map(([{ name }, rows]) => [name, rows])) }
  }

  #validator (model: CompiledModel, variant: 'create' | 'patch'): Validator {
    const known = this.#checks.get(model) ?? new Map<'create' | 'patch', Validator>()
    this.#checks.set(model, known)
    const validator = known.get(variant) ??
      this.context.validators.json(model.schemas[variant] as unknown as JsonSchema)
    known.set(variant, validator)
    return validator
  }
}

const isMissing = ({ code, info }: Violation, names: ReadonlySet<string>): boolean =>
  code === 'required' && names.has(String(info.missingProperty))

const mustBe = (type: 'array' | 'object', path: string): Violation =>
  ({ path, code: 'type', message: sentenceOf('type', { type }) as string, info: { type } })
