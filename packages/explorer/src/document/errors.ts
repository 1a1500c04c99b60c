/**
 * Error answers: one body shape for all of them (specification, Errors; request-parsing.md, section 7). Every operation
 * has eight of them or more, so what is written out of each counts: only those that tell of violations say what a
 * violation is, and none has an example.
 */
import { STATUS_CODES } from 'node:http'
import type { Conventions } from '@fastback/rest'
import type { Components } from './components.js'
import type { Content, Header, Reference, Response, Schema } from '@fastback/ui/openapi'

const descriptions = {
  400: 'A parameter is missing or not valid, or the request cannot be read',
  401: 'Access needs an access token, or the one given does not suffice',
  403: 'The access token does not suffice',
  404: 'There is no such row',
  405: 'The path has other verbs',
  406: 'The response cannot have any of the media types that the request takes',
  409: 'A row with this id or these unique values exists already, or others refer to the row',
  412: 'The row is in another state than the request is for; current is the row as it is now',
  413: 'The body is too large',
  415: 'The body has a media type that is not read here',
  422: 'The body breaks the rules of the model; details has every violation',
  428: 'The request must say with If-Match which state of the row it is for',
  429: 'Too many requests',
  431: 'The address or the headers are too large',
  503: 'The server is too busy'
} as const

export type ErrorStatus = keyof typeof descriptions

/** Statuses whose `details` are violations. */
const violations: ReadonlySet<number> = new Set([400, 422])

const retryAfter: Readonly<Record<string, Header>> = {
  'Retry-After': { description: 'Seconds after which to come again', schema: { type: 'integer', minimum: 0 } }
}

const headers: Readonly<Record<number, Readonly<Record<string, Header>>>> = {
  405: { Allow: { description: 'The verbs that the path has', required: true, schema: { type: 'string' } } },
  429: retryAfter,
  503: retryAfter
}

export class ErrorResponses {
  readonly #used = new Map<string, Response>()

  constructor (private readonly components: Components, private readonly convention: Conventions['errors']) {
    this.components.reserve('error', 'Error')
    this.components.reserve('problem', 'Problem')
    this.components.reserve('error-details', 'DetailedError')
    this.components.reserve('problem-details', 'DetailedProblem')
  }

  /** What the framework answers with this status. */
  ref (status: ErrorStatus): Reference {
    return this.#ref((STATUS_CODES[status] as string).replaceAll(' ', ''), descriptions[status], status)
  }

  /** An error that one operation has, or has for a reason of its own. */
  own (status: number, description: string): Response {
    return {
      description,
      ...(headers[status] === undefined ? {} : { headers: headers[status] }),
      content: this.#content(violations.has(status))
    }
  }

  /** Everything else. */
  other (): Reference {
    return this.#ref('OtherError', 'Any other error')
  }

  #ref (name: string, description: string, status = 0): Reference {
    if (!this.#used.has(name)) this.#used.set(name, this.own(status, description))
    return { $ref: `#/components/responses/${name}` }
  }

  all (): Record<string, Response> {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => a < b ? -1 : 1))
  }

  /** The types that clients may ask errors in: pages for people, the same members as elements of XML. */
  #content (detailed: boolean): Content {
    return Object.fromEntries(
      this.convention.types.map(type => [type, { schema: this.#schemaOf(type, detailed) }])
    )
  }

  /** XML has the members as elements, which JSON Schema has no words for. */
  #schemaOf (type: string, detailed: boolean): Schema {
    switch (type) {
      case 'text/html':
      case 'application/xml': return { type: 'string' }
      case 'application/problem+json': return this.#problem(detailed)
      default: return this.#error(detailed)
    }
  }

  /** RFC 9457, with the members that errors have beside. */
  #problem (detailed: boolean): Schema {
    return this.components.ref(...keyAndName('problem', 'Problem', detailed), () => ({
      type: 'object',
      properties: {
        type: { type: 'string', description: 'about:blank: title and code say what there is to say' },
        title: { type: 'string', description: 'What the status means' },
        status: { type: 'integer' },
        detail: { type: 'string', description: 'What went wrong, for people' },
        ...this.#members(detailed)
      },
      required: ['type', 'title', 'status', 'detail']
    }))
  }

  #error (detailed: boolean): Schema {
    const { root } = this.convention
    return this.components.ref(...keyAndName('error', 'Error', detailed), () => root === false
      ? this.#body(detailed)
      : { type: 'object', properties: { [root]: this.#body(detailed) }, required: [root] })
  }

  #body (detailed: boolean): Schema {
    return {
      type: 'object',
      properties: { statusCode: { type: 'integer' }, message: { type: 'string' }, ...this.#members(detailed) },
      required: ['statusCode', 'message']
    }
  }

  /** What every form of an error has. */
  #members (detailed: boolean): Record<string, Schema> {
    return {
      name: { type: 'string' },
      code: { type: 'string', description: 'What went wrong, for programs: MODEL_NOT_FOUND, PATH_NOT_FOUND, VALIDATION_FAILED …' },
      details: detailed
        ? {
            description: 'Of validation errors: every violation',
            anyOf: [{ type: 'array', items: this.#violation() }, { type: 'array', items: {} }, { type: 'object' }]
          }
        : { type: ['array', 'object'], items: {} }
    }
  }

  #violation (): Schema {
    return this.components.ref('violation', 'Violation', () => ({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where the faulty value is: .title, .items[0].qty; empty for the whole' },
        code: {
          type: 'string',
          description:
            'The rule that is broken: a keyword of JSON Schema (required, type …) or the name of a validation (presence, uniqueness …)'
        },
        message: { type: 'string', description: 'A sentence for people, to follow the name of what is wrong' },
        info: { type: 'object', description: 'Parameters of the rule' }
      },
      required: ['path', 'code', 'message', 'info']
    }))
  }
}

function keyAndName (key: string, name: string, detailed: boolean): [key: string, name: string] {
  return detailed ? [`${key}-details`, `Detailed${name}`] : [key, name]
}
