/** What a request must be, before anything reads its document. */
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { getOperationAST, parse, type DocumentNode } from 'graphql'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../options.js'
import { invalidRequest, notJson, onlyQueries, unknownDocument } from './errors.js'

const Text = Type.Union([Type.String(), Type.Null()])
const Operation = Type.Object({
  query: Type.Optional(Type.String()),
  operationName: Type.Optional(Text),
  variables: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  extensions: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  persisted: Type.Optional(Type.Boolean())
}, { additionalProperties: false })
const Parameters = Type.Object({
  query: Type.Optional(Type.String()),
  operationName: Type.Optional(Type.String()),
  variables: Type.Optional(Type.String()),
  extensions: Type.Optional(Type.String()),
  persisted: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')]))
})

const form = 'Send an object with "query", and "variables" and "operationName" where they are wanted.'

/** Checks a request, before GraphQL sees it. */
export class RequestChecks {
  readonly #settings: Settings

  constructor (settings: Settings) {
    this.#settings = settings
  }

  /**
   * @throws RequestError 400 GRAPHQL_INVALID_REQUEST, 405 METHOD_NOT_ALLOWED, 415 UNSUPPORTED_MEDIA_TYPE
   */
  readonly check = async (request: FastifyRequest): Promise<void> => {
    if (request.method === 'POST') this.#checkBody(request)
    else this.#checkQuery(request)
  }

  /** Forms and plain texts are what pages of other sites can send without being asked. */
  #checkBody ({ headers, body }: FastifyRequest): void {
    const type = headers['content-type']
    if (type === undefined || !/^application\/json\s*(?:;|$)/i.test(type)) throw notJson(type)
    const { batch, limits } = this.#settings
    if (Array.isArray(body)) {
      if (!batch) throw invalidRequest('A request has one operation: lists of them are switched on by "batch".')
      if (body.length === 0 || body.length > limits.calls) {
        throw invalidRequest(`A list has 1 to ${limits.calls} operations (limit "calls").`)
      }
    }
    for (const each of Array.isArray(body) ? body as unknown[] : [body]) {
      if (!Value.Check(Operation, each)) throw invalidRequest(form)
      this.#documentOf(each.query, each.persisted === true)
    }
  }

  /** Only what reads: who follows a link writes nothing. */
  #checkQuery ({ query: parameters }: FastifyRequest): void {
    if (!Value.Check(Parameters, parameters)) throw invalidRequest(form)
    const { query, operationName } = parameters
    const text = this.#documentOf(query, parameters.persisted === 'true')
    const operation = getOperationAST(this.#parsed(text), operationName)
    if (operation === null || operation === undefined) {
      throw invalidRequest('Say by "operationName" which operation is meant.')
    }
    if (operation.operation !== 'query') throw onlyQueries()
  }

  #parsed (text: string): DocumentNode {
    try {
      return parse(text, { maxTokens: this.#settings.limits.tokens })
    } catch (error) {
      throw invalidRequest((error as Error).message)
    }
  }

  /** The document of a request: its text, or the one that it names. */
  #documentOf (text: string | undefined, isName: boolean): string {
    const { persistedQueries, onlyPersisted, limits: { length } } = this.#settings
    if (text === undefined || text.trim() === '') throw invalidRequest(form)
    if (text.length > length) throw invalidRequest(`The document has more than ${length} characters (limit "length").`)
    if (isName || onlyPersisted) {
      const document = isName ? persistedQueries?.[text] : undefined
      if (document === undefined) throw unknownDocument()
      return document
    }
    // In JSON it would come past the limit of tokens.
    if (/^\s*(?:[[\d"-]|\{\s*["}]|(?:true|false|null)\s*$)/.test(text)) throw invalidRequest('The document is no GraphQL.')
    return text
  }
}
