/** Arguments whose place is the body: the whole of it (`body`), or fields of it (`form`). Violations are a 422. */
import type {
  ArgumentDefinition,
  CompiledModel,
  ModelRegistry,
  SharedMethod,
  Violation
} from '@fastback/core'
import {
  bulkLimit, invalidData, looseRow, maxViolations, refuseRelatedRows, sentenceOf, tooManyRows
} from '@fastback/core/remote'
import { badRequest } from '../errors/request-errors.js'
import type { ArgumentReader, ReaderContext } from './argument-reader.js'
import { ArgumentViolations, isObject } from './convert.js'
import { isMissing, missingProperty, namePath, type RequestInput } from './input.js'
import { finished } from './finish-argument.js'
import { refusedRow } from './refused-row.js'
import { NestedRows } from './nested-rows.js'
import { argumentSchema, resolveArgumentType, type JsonSchema, type TypeNames } from './schema.js'
import { Checks } from './schema-checks.js'
import { sourceOf } from './source.js'
import { decodeTagged } from './tagged.js'
import { ArgumentViolation } from './text.js'

export interface BodyReaders {
  readonly any: boolean
  /** Whether the argument at this index is read here. */
  finds (index: number): boolean
  /** Reports a required body that is missing, with the violations of parameters. */
  missing (index: number): ArgumentReader
  /** Validates the body and puts its arguments into `values`. */
  read (input: RequestInput, values: unknown[]): void
}

const nothing: ArgumentReader = () => undefined

/** Methods whose data are for any number of rows: these have no rows of their own. */
const forMany: ReadonlySet<unknown> = new Set(['updateAll', 'upsertWithWhere'])

/** @param isElsewhere whether an argument is read elsewhere, such as a file */
export function bodyReaders (
  method: SharedMethod, context: ReaderContext, isElsewhere: (argument: ArgumentDefinition) => boolean = () => false
): BodyReaders {
  const readers = new Map<number, WholeBody>()
  const fields: Array<{ index: number, argument: ArgumentDefinition }> = []
  method.accepts.forEach((argument, index) => {
    const source = sourceOf(argument)
    if (isElsewhere(argument)) return
    if (source === 'body') readers.set(index, new WholeBody(method, argument, context))
    else if (source === 'form' || source === 'formData') fields.push({ index, argument })
  })
  const form = fields.length === 0 ? undefined : new FormFields(fields, context)
  return {
    any: readers.size > 0 || form !== undefined,
    finds: index => readers.has(index) || fields.some(field => field.index === index),
    missing: index => {
      const body = readers.get(index)
      return body === undefined ? nothing : input => { body.reportMissing(input) }
    },
    read (input, values) {
      for (const [index, body] of readers) values[index] = body.read(input)
      form?.read(input, values)
    }
  }
}

class WholeBody {
  readonly #argument: ArgumentDefinition
  readonly #context: ReaderContext
  readonly #method: SharedMethod
  readonly #finish: (value: unknown) => unknown
  readonly #required: boolean
  /** Undefined where data of the method carry no rows of relations. */
  readonly #nested: NestedRows | undefined
  #checks: Checks | undefined
  #model: CompiledModel | undefined

  constructor (method: SharedMethod, argument: ArgumentDefinition, context: ReaderContext) {
    const type = resolveArgumentType(argument.type, context.registry)
    this.#method = method
    this.#argument = argument
    this.#context = context
    this.#finish =
      argument.modelSchema === undefined ? finished(type, value => decodeTagged(value, type), 'json') : value => value
    const takesNested = argument.modelSchema !== undefined && !forMany.has(method.builtin)
    this.#nested = takesNested ? new NestedRows(context) : undefined
    // A link may come with properties of the joining row, or with nothing.
    this.#required =
      argument.required === true || (argument.modelSchema !== undefined && !method.name.startsWith('__link__'))
  }

  /** The checks of the schema that holds now: a model may have changed. */
  #current (): Checks {
    const { modelSchema } = this.#argument
    const model = modelSchema === undefined ? undefined : this.#context.registry.models[modelSchema.model]?.compiled
    if (this.#checks === undefined || model !== this.#model) {
      this.#model = model
      this.#checks = new Checks(this.#context.validators, this.#schema(model))
    }
    return this.#checks
  }

  #schema (model: CompiledModel | undefined): JsonSchema {
    const { modelSchema, jsonSchema, type, allowArray } = this.#argument
    if (model === undefined || modelSchema === undefined) {
      return argumentSchema(resolveArgumentType(type, this.#context.registry), jsonSchema, allowArray)
    }
    const schema = modelSchemaOf(model, modelSchema)
    if (this.#context.requiredByModel?.(this.#method) !== true) return schema
    const { required, ...rest } = schema
    return rest
  }

  /** Models as LoopBack 3 wrote them take a missing body for an empty one. */
  #takesNothing (): boolean {
    return (
      this.#argument.modelSchema !== undefined &&
      !usesJsonSchema(this.#argument.modelSchema.model, this.#context.registry)
    )
  }

  reportMissing (input: RequestInput): void {
    if (this.#isLacking(input) && !this.#takesNothing()) input.missing(this.#argument.arg, 'Request body is required')
  }

  #isLacking (input: RequestInput): boolean {
    return this.#required && isAbsent(input.body)
  }

  read (input: RequestInput): unknown {
    let value: unknown = input.kind === 'form' || input.kind === 'json' ? input.body : undefined
    if (isAbsent(value)) {
      // What lacks and is read nevertheless is a row that takes nothing, or a body that hooks may bring.
      if (!this.#required || this.#argument.modelSchema === undefined) return value
      value = {}
    }
    value = this.#asRows(value)
    if (Array.isArray(value) && this.#argument.modelSchema !== undefined) return this.#list(input, value)
    const checks = this.#current()
    const { row, violations } = this.#judged(checks, input, value)
    if (violations.length > 0) throw this.#refused(violations, value)
    return valid(this.#finish(row), '')
  }

  /** A row, and rows of its relations, judged together. */
  #judged (
    checks: Checks, input: RequestInput, value: unknown
  ): { readonly row: unknown, readonly violations: readonly Violation[] } {
    const nested = this.#model?.nests === undefined ? undefined : this.#nested
    return nested === undefined || this.#model === undefined || !isObject(value)
      ? { row: value, violations: checks.violations(input, value) ?? [] }
      : nested.judged(this.#model, value, plain => checks.violations(input, plain) ?? [])
  }

  /**
   * Rows as they are judged: converted, where they are taken as LoopBack 3 takes them, their texts as they are stored,
   * and without rows of relations.
   */
  #asRows (value: unknown): unknown {
    const { coercion, registry: { models } } = this.#context
    const name = this.#argument.modelSchema?.model
    const model = name === undefined ? undefined : models[name]?.compiled
    if (model === undefined) return value
    const { storedTexts } = model
    const one = (row: unknown, prefix: string): unknown => {
      if (!isObject(row)) return row
      refuseRelatedRows(model, row, prefix, this.#nested !== undefined)
      const loose = coercion === 'loopback3' ? looseRow(model, row, nested => models[nested]?.compiled) : row
      return storedTexts === undefined ? loose : storedTexts(loose)
    }
    return Array.isArray(value) ? value.map((row, i) => one(row, `[${String(i)}].`)) : one(value, '')
  }

  /** Rows for `create`; every other operation takes one. */
  #list (input: RequestInput, items: unknown[]): unknown[] {
    if (this.#argument.allowArray !== true) {
      if (this.#takesNothing()) throw badRequest('Value is not an object.', 'INVALID_PARAMETER_VALUE')
      throw invalidData([{ path: '', code: 'type', message: sentenceOf('type', { type: 'object' }) as string, info: { type: 'object' } }])
    }
    const checks = this.#current()
    const violations: Violation[] = []
    const rows: unknown[] = []
    for (const [index, item] of items.entries()) {
      const judged = this.#judged(checks, input, item)
      rows.push(judged.row)
      for (const violation of judged.violations) {
        violations.push({ ...violation, path: `[${index}]${violation.path}` })
      }
      // Enough is known to refuse the list.
      if (violations.length >= maxViolations) break
    }
    if (violations.length > 0) throw this.#refused(violations, items)
    const model = this.#model
    // What a store in this process does with a list it does in one go.
    if (model !== undefined && rows.length > bulkLimit(model)) throw tooManyRows(bulkLimit(model))
    return rows
  }

  #refused (violations: readonly Violation[], value: unknown): Error {
    const { modelSchema } = this.#argument
    return modelSchema === undefined ? invalidData(violations) : refusedRow(modelSchema.model, violations, value)
  }
}

/** Points and other values that no schema describes are judged as they are made. */
function valid (value: unknown, path: string): unknown {
  if (value instanceof ArgumentViolations) {
    throw invalidData(value.violations.map(each => ({ ...each, path: path + each.path })))
  }
  if (!(value instanceof ArgumentViolation)) return value
  const { code, message, info } = value
  throw invalidData([{ path, code, message, info }])
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/**
 * The schema that the data of a model must satisfy; `optional` names properties that need not be sent, because a
 * relation sets them.
 */
export function modelSchemaOf (model: CompiledModel, { variant, optional }: ModelData): JsonSchema {
  const schema = model.schemas[variant] as unknown as JsonSchema & { required?: string[] }
  if (optional === undefined || schema.required === undefined) return schema
  return { ...schema, required: schema.required.filter(name => !optional.includes(name)) }
}

type ModelData = NonNullable<ArgumentDefinition['modelSchema']> & { readonly optional?: readonly string[] }

/**
 * Whether a model or one nested in it is written with JSON Schema keywords, LoopBack 4's way. Where the responses of
 * LoopBack 3 and 4 to a bad body exclude each other (no body at all, a list in place of a row), such models have those
 * of LoopBack 4, others those of LoopBack 3.
 */
function usesJsonSchema (name: string, registry: Pick<ModelRegistry, 'models'>, seen = new Set<string>()): boolean {
  const Model = registry.models[name]
  if (Model === undefined || seen.has(name)) return false
  seen.add(name)
  return Model.compiled.properties.some(({ definition, type }) => {
    const nested = type.model ?? type.items?.model
    return definition.jsonSchema !== undefined || (nested !== undefined && usesJsonSchema(nested, registry, seen))
  })
}

const schemaOf = ({ type, jsonSchema, allowArray }: ArgumentDefinition, registry: TypeNames): JsonSchema =>
  argumentSchema(resolveArgumentType(type, registry), jsonSchema, allowArray)

/** Fields of a body that is a form or JSON; together they are one object. */
class FormFields {
  readonly #checks: Checks
  /** Without asking for what is required. */
  readonly #checksOfGiven: Checks
  readonly #required: readonly string[]
  readonly #fields: ReadonlyArray<{ index: number; argument: ArgumentDefinition; finish: (value: unknown) => unknown }>
  constructor (
    fields: ReadonlyArray<{ index: number; argument: ArgumentDefinition }>,
    { registry, validators }: ReaderContext
  ) {
    const schemas = fields.map(
      ({ argument }) =>
        [argument.arg, schemaOf(argument, registry)] as const
    )
    const required = fields.filter(({ argument }) => argument.required === true).map(({ argument }) => argument.arg)
    const schema = { type: 'object', properties: Object.fromEntries(schemas) }
    this.#checksOfGiven = new Checks(validators, schema)
    this.#checks = required.length === 0 ? this.#checksOfGiven : new Checks(validators, { ...schema, required })
    this.#required = required
    this.#fields = fields.map(field => ({
      ...field,
      finish: finished(resolveArgumentType(field.argument.type, registry), value => value, 'form')
    }))
  }

  read (input: RequestInput, values: unknown[]): void {
    const body = isAbsent(input.body) ? {} : input.body
    const isLater = this.#required.length > 0 && input.leave(args => { this.#demand(args) })
    const violations = (isLater ? this.#checksOfGiven : this.#checks).violations(input, body)
    if (violations !== undefined) throw invalidData(violations)
    if (isObject(body)) {
      for (const { index, argument: { arg }, finish } of this.#fields) {
        values[index] = Object.hasOwn(body, arg) ? valid(finish(body[arg]), namePath(arg)) : undefined
      }
    }
  }

  #demand (args: Readonly<Record<string, unknown>>): void {
    const lacking = this.#required.filter(name => isMissing(args[name]))
    if (lacking.length > 0) throw invalidData(lacking.map(missingProperty))
  }
}
