/**
 * JSON Schema validation of property values, bodies and parameters: Ajv, with its errors turned into the entries of
 * `error.details` (request-parsing.md, section 8).
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { maxViolations, type Violation } from '../errors.js'
import { isLargeInteger } from '../properties/convert.js'
import { ERROR_CODE } from '../violation.js'
import { installFormats, modelDateFormat } from './formats.js'
import { normaliseSchema, type JsonSchema } from './normalise.js'
import { makePattern, type Pattern } from './patterns.js'
import { sentenceOf, unknownPropertySentence, type Info } from './sentences.js'
import { installUniqueItems } from './unique-items.js'

/** All violations of `value`, or undefined when there are none. */
export type Validator = (value: unknown) => Violation[] | undefined

/**
 * Makes validators. One per registry: a schema is compiled when it is first used (a start-up that compiles hundreds of
 * them takes seconds), and once, however often a model that changes asks for the same one again.
 *
 * ```js
 * const validate = registry.validators.json({ type: 'object', properties: { stars: { type: 'integer' } } })
 * validate({ stars: 4 }) // undefined
 * validate({ stars: 'four' })
 * // [{ path: '.stars', code: 'type', message: 'must be a whole number', info: { type: 'integer' } }]
 * ```
 */
export class Validators {
  readonly #strict: Compiler
  readonly #form: Compiler

  /** @param isForeign whether others wrote the schemas: of them no pattern takes long (security.md, S-191) */
  constructor ({ isForeign = false }: { readonly isForeign?: boolean } = {}) {
    this.#strict = new Compiler(false, isForeign)
    this.#form = new Compiler(true, isForeign)
  }

  /** For JSON: nothing is converted. */
  json (schema: JsonSchema): Validator {
    return lazily(() => this.#strict.compile(schema))
  }

  /**
   * For forms and queries: texts are converted in place, by Ajv's rules. The value must be an object or array; it is
   * changed.
   */
  form (schema: JsonSchema): Validator {
    return lazily(() => this.#form.compile(schema))
  }
}

/** Names that every object has from its prototype: Ajv would find them in a value that lacks them. */
const inherited = new RegExp(`"(${Object.getOwnPropertyNames(Object.prototype).join('|')})"`)

class Compiler {
  /** Each made when it is first needed. That for inherited names looks at each name twice, so not for all schemas. */
  readonly #ajv: { plain?: Ajv, ownOnly?: Ajv } = {}
  /** By the schema's text: compiled models come and go, what they say stays. */
  readonly #known = new Map<string, ValidateFunction>()

  constructor (readonly coerceTypes: boolean, readonly isForeign: boolean) {}

  compile (schema: JsonSchema): ValidateFunction {
    const normal = normaliseSchema(schema)
    const text = JSON.stringify(normal)
    let known = this.#known.get(text)
    if (known === undefined) {
      const ajv = inherited.test(text)
        ? (this.#ajv.ownOnly ??= makeAjv(this, true))
        : (this.#ajv.plain ??= makeAjv(this, false))
      mustBeSchema(normal)
      known = ajv.compile(normal)
      this.#known.set(text, known)
    }
    return known
  }
}

/** To compile the schema of schemas takes 20 ms: once, and not in each Ajv. */
const mustBeSchema = (() => {
  let meta: Ajv | undefined
  return (schema: JsonSchema): void => {
    meta ??= new Ajv({ allErrors: true, logger: false })
    if (!(meta.validateSchema(schema) as boolean)) throw new Error(`schema is invalid: ${meta.errorsText()}`)
  }
})()

function makeAjv ({ coerceTypes, isForeign }: Compiler, ownProperties: boolean): Ajv {
  const regExp = (pattern: string, flags: string): Pattern => makePattern(pattern, flags, isForeign)
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes,
    ownProperties,
    strict: false,
    // `mustBeSchema` does, for all of the process.
    validateSchema: false,
    strictNumbers: true,
    logger: false,
    verbose: true,
    addUsedSchema: false,
    code: { regExp: Object.assign(regExp, { code: 'new RegExp' }) }
  })
  installFormats(ajv)
  installUniqueItems(ajv)
  return ajv
}

function lazily (compile: () => ValidateFunction): Validator {
  let validate: ValidateFunction | undefined
  return value => {
    validate ??= compile()
    if (validate(value)) return undefined
    const found = violations(validate.errors as ErrorObject[], value)
    return found.length === 0 ? undefined : found
  }
}

/** Ajv's errors as entries of `details`. `root` is the value that was validated. */
export function violations (errors: readonly ErrorObject[], root: unknown): Violation[] {
  const found: Violation[] = []
  for (const error of choices(errors)) {
    if (isLargeNumber(error) || isDecimalNumber(error)) continue
    if (found.length === maxViolations) break
    const described = info(error)
    found.push({
      path: valuePath(error.instancePath, root),
      code: error.keyword,
      message: sentenceFor(error, described),
      info: described,
      ...codeOf(error)
    })
  }
  return found
}

/** What answers have for a number that no double holds is a number where it comes back. */
const isLargeNumber = ({ keyword, params, data }: ErrorObject): boolean =>
  keyword === 'type' && (params.type === 'number' || params.type === 'integer') &&
  typeof data === 'string' && isLargeInteger(data)

/** A decimal is a text, and taken as a number as well, where that has all its digits (`readDecimal`). */
const isDecimalNumber = ({ keyword, params, data, parentSchema }: ErrorObject): boolean =>
  keyword === 'type' && params.type === 'string' && typeof data === 'number' && parentSchema?.format === 'decimal'

/** A schema says in `x-errorCodes` which code an error has where one of its keywords alone is broken. */
function codeOf ({ keyword, parentSchema }: ErrorObject): { [ERROR_CODE]?: string } {
  const code = (parentSchema?.['x-errorCodes'] as Readonly<Record<string, string>> | undefined)?.[keyword]
  return code === undefined ? {} : { [ERROR_CODE]: code }
}

function sentenceFor ({ keyword, message, parentSchema }: ErrorObject, described: Info): string {
  const { properties } = (parentSchema ?? {}) as { properties?: object }
  if (keyword === 'additionalProperties' && properties !== undefined) {
    return unknownPropertySentence(String(described.additionalProperty), Object.keys(properties))
  }
  return sentenceOf(keyword, described) ?? message ?? `must pass "${keyword}" keyword validation`
}

/** Ajv tells of each branch of a choice. Where the branches are values, one entry says which there are. */
function choices (errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    const allowedValues = error.keyword === 'anyOf' ? literals(error.schema) : undefined
    if (allowedValues === undefined) {
      kept.push(error)
      continue
    }
    const ofBranches = `${error.schemaPath}/`
    const isOfBranch = (each: ErrorObject | undefined): boolean =>
      each?.instancePath === error.instancePath && each.schemaPath.startsWith(ofBranches)
    while (isOfBranch(kept.at(-1))) kept.pop()
    kept.push({ ...error, keyword: 'enum', params: { allowedValues } })
  }
  return kept
}

/** The values of a union of literals, as TypeBox writes it; undefined for every other choice. */
function literals (branches: unknown): unknown[] | undefined {
  const values = (branches as JsonSchema[]).map(branch => branch.type === 'null' ? null : branch.const)
  return values.includes(undefined) ? undefined : values
}

function info ({ keyword, params, parentSchema }: ErrorObject): Record<string, unknown> {
  if (keyword === 'format' && params.format === modelDateFormat) return { format: 'date-time' }
  // Core lets null pass where a property is not required.
  if (keyword === 'enum' && parentSchema?.nullable === true) {
    return { allowedValues: (params.allowedValues as unknown[]).filter(value => value !== null) }
  }
  return params
}

/**
 * `/items/0/zip-code` as `.items[0]['zip-code']`; whether a number is an index shows only in the value.
 *
 * ```js
 * valuePath('/items/0/zip-code', { items: [{}] }) // ".items[0]['zip-code']"
 * ```
 */
export function valuePath (pointer: string, root: unknown): string {
  if (pointer === '') return ''
  let path = ''
  let value = root
  for (const segment of pointer.slice(1).split('/')) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    path += Array.isArray(value)
      ? `[${key}]`
      : identifier.test(key)
        ? `.${key}`
        : `['${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`
    value =
      value !== null && typeof value === 'object' && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined
  }
  return path
}

const identifier = /^[A-Za-z_$][\w$]*$/
