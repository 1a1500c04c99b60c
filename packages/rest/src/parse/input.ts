/**
 * What the readers of one request share: the request, its query (parsed when first needed) and the faults found so far.
 */
import type { Violation } from '@fastback/core'
import { maxViolations } from '@fastback/core/remote'
import type { FastifyRequest } from 'fastify'
import { parameterFaults, type ParameterFaultCode } from '../errors/request-errors.js'
import { bodyKind, type BodyKind } from './body-kind.js'
import { namesPrototype, queryParameter, queryText, type Fields, type FieldsParser } from './query.js'
import type { Fault } from './text.js'

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
  #faults: Violation[] | undefined
  #code: ParameterFaultCode | undefined
  #message = ''

  constructor (readonly request: FastifyRequest, readonly call: CallParts, private readonly parseFields: FieldsParser) {
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

  missing (name: string, message = `${name} is a required argument`): void {
    this.#report('MISSING_REQUIRED_PARAMETER', message, {
      path: '',
      code: 'required',
      message: `must have required property '${name}'`,
      info: { missingProperty: name }
    })
  }

  invalid (name: string, fault: Fault): void {
    this.#report('INVALID_PARAMETER_VALUE', `Invalid value for parameter "${name}": ${fault.message}.`, {
      path: namePath(name),
      code: fault.code,
      message: fault.message,
      info: fault.info
    })
    if (fault.also !== undefined) this.invalid(name, fault.also)
  }

  /** Several faults within one parameter; their paths are relative to it. */
  invalidParts (name: string, faults: readonly Violation[]): void {
    for (const fault of faults) {
      this.#report('INVALID_PARAMETER_VALUE', `Invalid value for parameter "${name}": ${fault.message}.`, {
        ...fault,
        path: namePath(name) + fault.path
      })
    }
  }

  #report (code: ParameterFaultCode, message: string, fault: Violation): void {
    if (this.#faults === undefined) {
      this.#faults = []
      this.#code = code
      this.#message = message
    }
    if (this.#faults.length < maxViolations) this.#faults.push(fault)
  }

  /** @throws RequestError 400 with all faults of parameters found so far */
  throwFaults (): void {
    if (this.#faults !== undefined) throw parameterFaults(this.#code as ParameterFaultCode, this.#message, this.#faults)
  }
}

const namePath = (name: string): string => /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `['${name}']`
