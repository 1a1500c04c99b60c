/** The operations of a request: checked, before GraphQL sees any of them. */
import { sha256 } from '@fastback/core/connector'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { getOperationAST, parse, type DocumentNode } from 'graphql'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../options.js'
import { invalidRequest, notAHeader, notJson, onlyQueries, unknownDocument } from './errors.js'

const Text = Type.Union([Type.String(), Type.Null()])
const Members = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])
/** As clients with a list of documents send it, in place of the document: the SHA-256 of its text. */
const Extensions = Type.Object({
  persistedQuery: Type.Object({ version: Type.Optional(Type.Literal(1)), sha256Hash: Type.String() })
})
const Body = Type.Object({
  query: Type.Optional(Text),
  operationName: Type.Optional(Text),
  variables: Type.Optional(Members),
  extensions: Type.Optional(Members),
  persisted: Type.Optional(Type.Boolean())
}, { additionalProperties: false })
const Parameters = Type.Object({
  query: Type.Optional(Type.String()),
  operationName: Type.Optional(Type.String()),
  variables: Type.Optional(Type.String()),
  extensions: Type.Optional(Type.String()),
  persisted: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')]))
})

/** Headers of REST that are arguments here: a document may have several writes. */
const ofArguments = [
  ['idempotency-key', 'idempotencyKey'], ['if-match', 'ifVersion'], ['if-unmodified-since', 'ifVersion']
] as const

const form = 'Send an object with "query", and "variables" and "operationName" where they are wanted.'

/** One operation that is to run. */
export interface Operation {
  /** The text of the document. */
  readonly document: string
  readonly variables: Record<string, unknown> | undefined
  readonly operationName: string | undefined
}

export class Operations {
  readonly #settings: Pick<Settings, 'batch' | 'limits' | 'persistedQueries' | 'onlyPersisted'>
  /** Documents of `persistedQueries` by their hashes. */
  readonly #byHash: ReadonlyMap<string, string>

  constructor (settings: Pick<Settings, 'batch' | 'limits' | 'persistedQueries' | 'onlyPersisted'>) {
    this.#settings = settings
    this.#byHash = new Map(Object.values(settings.persistedQueries ?? {}).map(text => [hashOf(text), text]))
  }

  /**
   * The operation of a POST, or several. Forms and plain texts are what pages of other sites can send without being
   * asked.
   * @throws RequestError 400 GRAPHQL_INVALID_REQUEST, GRAPHQL_UNKNOWN_DOCUMENT, UNSUPPORTED_HEADER, 415
   * UNSUPPORTED_MEDIA_TYPE
   */
  ofBody ({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>): Operation | Operation[] {
    const type = headers['content-type']
    for (const [header, argument] of ofArguments) if (headers[header] !== undefined) throw notAHeader(header, argument)
    if (type === undefined || !/^application\/json\s*(?:;|$)/i.test(type)) throw notJson(type)
    if (!Array.isArray(body)) return this.of(body)
    const { batch, limits } = this.#settings
    if (!batch) throw invalidRequest('A request has one operation: lists of them are switched on by "batch".')
    if (body.length === 0 || body.length > limits.calls) {
      throw invalidRequest(`A list has 1 to ${limits.calls} operations (limit "calls").`)
    }
    return body.map((each: unknown) => this.of(each))
  }

  /**
   * The operation of a GET: one that only reads, for who follows a link writes nothing.
   * @throws RequestError 400 GRAPHQL_INVALID_REQUEST, GRAPHQL_UNKNOWN_DOCUMENT, 405 METHOD_NOT_ALLOWED
   */
  ofQuery ({ query: parameters }: Pick<FastifyRequest, 'query'>): Operation {
    if (!Value.Check(Parameters, parameters)) throw invalidRequest(form)
    const { variables, extensions, persisted, ...others } = parameters
    const operation = this.of({
      ...others,
      variables: jsonOf('variables', variables),
      extensions: jsonOf('extensions', extensions),
      persisted: persisted === 'true'
    })
    const node = getOperationAST(this.parsed(operation.document), operation.operationName)
    if (node === null || node === undefined) throw invalidRequest('Say by "operationName" which operation is meant.')
    if (node.operation !== 'query') throw onlyQueries()
    return operation
  }

  /** @throws RequestError 400 GRAPHQL_INVALID_REQUEST, GRAPHQL_UNKNOWN_DOCUMENT */
  of (given: unknown): Operation {
    if (!Value.Check(Body, given)) throw invalidRequest(form)
    const { query, operationName, variables, extensions, persisted = false } = given
    const hash = Value.Check(Extensions, extensions) ? extensions.persistedQuery.sha256Hash : undefined
    return {
      document: hash === undefined ? this.#documentOf(query ?? '', persisted) : this.#documentOfHash(hash, query),
      variables: variables ?? undefined,
      operationName: operationName ?? undefined
    }
  }

  /**
   * A document that is not to be kept.
   * @throws RequestError 400 GRAPHQL_INVALID_REQUEST
   */
  parsed (document: string): DocumentNode {
    try {
      return parse(document, { maxTokens: this.#settings.limits.tokens })
    } catch (error) {
      throw invalidRequest((error as Error).message)
    }
  }

  /** Documents are not learned from clients: one that sends its text as well is taken by the text, where texts are. */
  #documentOfHash (hash: string, text: string | null | undefined): string {
    const document = this.#byHash.get(hash.toLowerCase())
    if (document !== undefined) return document
    if (text === undefined || text === null || this.#settings.onlyPersisted) throw unknownDocument()
    return this.#documentOf(text, false)
  }

  /** The text itself, or the document that it names. */
  #documentOf (text: string, isName: boolean): string {
    const { persistedQueries, onlyPersisted, limits: { length } } = this.#settings
    if (text.trim() === '') throw invalidRequest(form)
    if (text.length > length) throw invalidRequest(`The document has more than ${length} characters (limit "length").`)
    if (isName || onlyPersisted) {
      const document = isName ? persistedQueries?.[text] : undefined
      if (document === undefined) throw unknownDocument()
      return document
    }
    // In JSON it would come past the limit of tokens.
    if (/^\s*(?:[[\d"-]|\{\s*["}]|(?:true|false|null)\s*$)/.test(text)) {
      throw invalidRequest('The document is no GraphQL.')
    }
    return text
  }
}

/** In an address they are JSON. */
function jsonOf (name: string, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw invalidRequest(`"${name}" is no JSON.`)
  }
}

const hashOf = (document: string): string => sha256(document, 'hex')
