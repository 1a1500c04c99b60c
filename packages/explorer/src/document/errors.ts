/** Error answers: one body shape for all of them (specification, Errors; request-parsing.md, section 7). */
import type { Components } from './components.js'
import type { Reference, Response, Schema } from './types.js'

const descriptions = {
  400: 'A parameter is missing or not valid, or the request cannot be read',
  401: 'Access needs an access token, or the one given does not suffice',
  403: 'The access token does not suffice',
  404: 'There is no such row',
  409: 'A row with this id exists already',
  413: 'The body is too large',
  415: 'The body has a media type that is not read here',
  422: 'The body breaks the rules of the model; details has every violation'
} as const

export type ErrorStatus = keyof typeof descriptions

const names: Readonly<Record<ErrorStatus, string>> = {
  400: 'BadRequest', 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound', 409: 'Conflict', 413: 'PayloadTooLarge', 415: 'UnsupportedMediaType', 422: 'UnprocessableEntity'
}

export class ErrorResponses {
  readonly #used = new Map<string, Response>()

  constructor (private readonly components: Components) {
    this.components.reserve('error', 'Error')
  }

  ref (status: ErrorStatus): Reference {
    return this.#ref(names[status], descriptions[status])
  }

  /** Everything else. */
  other (): Reference {
    return this.#ref('OtherError', 'Any other error')
  }

  #ref (name: string, description: string): Reference {
    if (!this.#used.has(name)) this.#used.set(name, { description, content: { 'application/json': { schema: this.schema() } } })
    return { $ref: `#/components/responses/${name}` }
  }

  all (): Record<string, Response> {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => a < b ? -1 : 1))
  }

  schema (): Schema {
    return this.components.ref('error', 'Error', () => ({
      type: 'object', properties: { error: this.#body() }, required: ['error'], examples: [example]
    }))
  }

  #body (): Schema {
    const violation = this.components.ref('violation', 'Violation', () => ({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where the faulty value is: .title, .items[0].qty; empty for the whole' },
        code: { type: 'string', description: 'The rule that is broken: a keyword of JSON Schema (required, type …) or the name of a validation (presence, uniqueness …)' },
        message: { type: 'string' },
        info: { type: 'object', description: 'Parameters of the rule' }
      },
      required: ['path', 'code', 'message', 'info']
    }))
    return {
      type: 'object',
      properties: {
        statusCode: { type: 'integer', minimum: 400, maximum: 599 },
        name: { type: 'string' },
        message: { type: 'string' },
        code: { type: 'string', description: 'What went wrong, for programs: MODEL_NOT_FOUND, VALIDATION_FAILED …' },
        details: { description: 'Of validation errors: every violation', anyOf: [{ type: 'array', items: violation }, { type: 'array', items: {} }, { type: 'object' }] }
      },
      required: ['statusCode', 'message']
    }
  }
}

const example = {
  error: {
    statusCode: 400,
    name: 'BadRequestError',
    message: 'Required parameter id is missing!',
    code: 'MISSING_REQUIRED_PARAMETER',
    details: [{ path: '', code: 'required', message: 'must have required property id', info: { missingProperty: 'id' } }]
  }
}
