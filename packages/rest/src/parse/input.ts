/**
 * What the readers of one request share: the request, its query (parsed when first needed) and the violations found so
 * far.
 */
import type { Violation } from '@fastback/core'
import { maxViolations, sentenceOf } from '@fastback/core/remote'
import type { FastifyRequest } from 'fastify'
import { invalidParameters, type ParameterViolationCode } from '../errors/request-errors.js'
import type { ReceivedFiles } from '../multipart/file-arguments.js'
import { bodyKind, type BodyKind } from './body-kind.js'
import { namesPrototype, queryParameter, queryText, type Fields, type FieldsParser } from './query.js'
import type { ArgumentViolation } from './text.js'

/** The parts of a remote call that arguments may ask for; they are made only when one does. */
export interface CallParts {
  callContext (): unknown
  callRequest (): unknown
  callResponse (): unknown
  callOptions (request: FastifyRequest): unknown
}

export class RequestInput {
  /** What the body was, and whether it was read. */
  readonly kind: BodyKind
  readonly body: unknown
  #queryText: string | undefined | null = null
  #fields: Fields | undefined
  #violations: Violation[] | undefined
  #code: ParameterViolationCode | undefined
  #message = ''
  /** What is asked when hooks have run; undefined: everything is asked at once. */
  #later: Array<(args: Readonly<Record<string, unknown>>) => void> | undefined

  /** @param files those of the form that the body was */
  constructor (
    readonly request: FastifyRequest,
    readonly call: CallParts,
    private readonly parseFields: FieldsParser,
    readonly files?: ReceivedFiles
  ) {
    this.kind = bodyKind(request)
    this.body = request.body
  }

  /** A parameter of the query: text, array or object; undefined when it is not there. */
  query (name: string): unknown {
    if (this.#queryText === null) this.#queryText = queryText(this.request.raw.url as string)
    return this.#queryText === undefined
      ? undefined
      : queryParameter(this.#queryText, name, () => (this.#fields ??= this.parseFields(this.#queryText as string)))
  }

  /** A filter or condition of the query, read as deep as JSON may be; how deep filters may be says who parses them. */
  filter (name: string): unknown {
    if (this.#queryText === null) this.#queryText = queryText(this.request.raw.url as string)
    const text = this.#queryText
    return text === undefined ? undefined : queryParameter(text, name, () => this.parseFields.deep(text))
  }

  /**
   * Whether a key of the query is left out of its parameters for its name (`where[__proto__][x]=1`): a condition
   * without it would be another one, perhaps none at all (security.md, S-24).
   */
  queryLosesKeys (): boolean {
    return typeof this.#queryText === 'string' && namesPrototype(this.#queryText)
  }

  /** A parameter of the path; undefined when the route has none of this name. */
  path (name: string): string | undefined {
    const params = this.request.params as Record<string, string>
    return params[name]
  }

  /** A header; several of one name are joined by Node. */
  header (name: string): string | undefined {
    const value = this.request.headers[name.toLowerCase()]
    return Array.isArray(value) ? value.join(',') : value
  }

  /** A property of a body that is an object. */
  field (name: string): unknown {
    const { body } = this
    return body !== null && typeof body === 'object' && !Array.isArray(body) && Object.hasOwn(body, name)
      ? (body as Fields)[name]
      : undefined
  }

  /** Hooks stand before the method: what is missing is asked for by `demand`, when they may have filled it in. */
  waitForHooks (): this {
    this.#later = []
    return this
  }

  /** Whether a question about the arguments waits for hooks; at once it is not asked then. */
  leave (question: (args: Readonly<Record<string, unknown>>) => void): boolean {
    this.#later?.push(question)
    return this.#later !== undefined
  }

  /**
   * Asks what was left for after the hooks.
   * @throws RequestError 400 with all arguments that are missing still, 422 for those of the body
   */
  demand (args: Readonly<Record<string, unknown>>): void {
    if (this.#later === undefined) return
    const questions = this.#later
    this.#later = undefined
    for (const ask of questions) ask(args)
    this.throwViolations()
  }

  missing (name: string, message = `${name} is a required argument`): void {
    if (this.leave(args => { if (isMissing(args[name])) this.missing(name, message) })) return
    this.#report('MISSING_REQUIRED_PARAMETER', message, missingProperty(name))
  }

  invalid (name: string, violation: ArgumentViolation): void {
    this.#report('INVALID_PARAMETER_VALUE', `Invalid value for parameter "${name}": ${violation.message}.`, {
      path: namePath(name),
      code: violation.code,
      message: violation.message,
      info: violation.info
    })
    if (violation.also !== undefined) this.invalid(name, violation.also)
  }

  /** Several violations within one parameter; their paths are relative to it. */
  invalidParts (name: string, violations: readonly Violation[]): void {
    for (const violation of violations) {
      this.#report('INVALID_PARAMETER_VALUE', `Invalid value for parameter "${name}": ${violation.message}.`, {
        ...violation,
        path: namePath(name) + violation.path
      })
    }
  }

  #report (code: ParameterViolationCode, message: string, violation: Violation): void {
    if (this.#violations === undefined) {
      this.#violations = []
      this.#code = code
      this.#message = message
    }
    if (this.#violations.length < maxViolations) this.#violations.push(violation)
  }

  /** @throws RequestError 400 with all violations of parameters found so far */
  throwViolations (): void {
    if (this.#violations === undefined) return
    throw invalidParameters(this.#code as ParameterViolationCode, this.#message, this.#violations)
  }
}

/** The entry of `details` for an argument that is not there. */
export function missingProperty (name: string): Violation {
  const info = { missingProperty: name }
  return { path: '', code: 'required', message: sentenceOf('required', info) as string, info }
}

/** What LoopBack takes for no value where one is required. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** The place of an argument, or of a field of a form, in `details`. */
export const namePath = (name: string): string => /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `['${name}']`
