/** Error answers: one body shape for all of them (specification, Errors; request-parsing.md, section 7). */
import type { Conventions } from '@fastback/rest'
import type { Components } from './components.js'
import type { Content, Header, Reference, Response, Schema } from './types.js'

const descriptions = {
  400: 'A parameter is missing or not valid, or the request cannot be read',
  401: 'Access needs an access token, or the one given does not suffice',
  403: 'The access token does not suffice',
  404: 'There is no such row',
  405: 'The path has other verbs',
  406: 'The answer cannot have any of the media types that the request takes',
  409: 'A row with this id or these unique values exists already, or others refer to the row',
  413: 'The body is too large',
  415: 'The body has a media type that is not read here',
  422: 'The body breaks the rules of the model; details has every violation',
  429: 'Too many requests',
  431: 'The address or the headers are too large',
  503: 'The server is too busy'
} as const

export type ErrorStatus = keyof typeof descriptions

const names: Readonly<Record<ErrorStatus, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableEntity',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  503: 'ServiceUnavailable'
}

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
  }

  /** What the framework answers with this status. */
  ref (status: ErrorStatus): Reference {
    return this.#ref(names[status], descriptions[status], status)
  }

  /** An error that one operation has, or has for a reason of its own. */
  own (status: number, description: string): Response {
    return {
      description,
      ...(headers[status] === undefined ? {} : { headers: headers[status] }),
      content: this.#content()
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
  #content (): Content {
    return Object.fromEntries(
      this.convention.types.map(type => [type, { schema: this.#schemaOf(type) }])
    )
  }

  #schemaOf (type: string): Schema {
    switch (type) {
      case 'text/html': return { type: 'string' }
      case 'application/problem+json': return this.problem()
      default: return this.schema()
    }
  }

  /** RFC 9457, with the members that errors have beside. */
  problem (): Schema {
    return this.components.ref('problem', 'Problem', () => ({
      type: 'object',
      properties: {
        type: { type: 'string', description: 'about:blank: title and code say what there is to say' },
        title: { type: 'string', description: 'What the status means' },
        status: { type: 'integer', minimum: 400, maximum: 599 },
        detail: { type: 'string', description: 'What went wrong, for people' },
        ...this.#members()
      },
      required: ['type', 'title', 'status', 'detail']
    }))
  }

  schema (): Schema {
    const { root } = this.convention
    return this.components.ref('error', 'Error', () => root === false
      ? { ...this.#body(), examples: [example] }
      : { type: 'object', properties: { [root]: this.#body() }, required: [root], examples: [{ [root]: example }] })
  }

  #body (): Schema {
    return {
      type: 'object',
      properties: {
        statusCode: { type: 'integer', minimum: 400, maximum: 599 },
        message: { type: 'string' },
        ...this.#members()
      },
      required: ['statusCode', 'message']
    }
  }

  /** What every form of an error has. */
  #members (): Record<string, Schema> {
    const violation = this.components.ref('violation', 'Violation', () => ({
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
    return {
      name: { type: 'string' },
      code: { type: 'string', description: 'What went wrong, for programs: MODEL_NOT_FOUND, PATH_NOT_FOUND, VALIDATION_FAILED …' },
      details: {
        description: 'Of validation errors: every violation',
        anyOf: [{ type: 'array', items: violation }, { type: 'array', items: {} }, { type: 'object' }]
      }
    }
  }
}

const example = {
  statusCode: 400,
  name: 'BadRequestError',
  message: 'Required parameter id is missing!',
  code: 'MISSING_REQUIRED_PARAMETER',
  details: [{ path: '', code: 'required', message: '"id" is required', info: { missingProperty: 'id' } }]
}
