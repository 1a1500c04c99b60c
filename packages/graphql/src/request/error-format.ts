/** Errors in the form that GraphQL has for them, with the members of our own. */
import { errorBody } from '@fastback/rest'
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { FastifyBaseLogger } from 'fastify'
import { MethodError } from '../execution/call.js'

type Log = Pick<FastifyBaseLogger, 'error'>

/** What GraphQL adds to its messages. */
const suggestion = / Did you mean [^?]*\?$/

/** What clients see of errors: message, where, and `extensions` with `code`, `statusCode` and `name`. */
export class ErrorFormat {
  readonly #suggests: boolean

  /** @param suggests whether messages may name what the schema has */
  constructor (suggests: boolean) {
    this.#suggests = suggests
  }

  /** Errors of fields, or of a document. */
  shown (errors: readonly GraphQLError[], log: Log): GraphQLFormattedError[] {
    return errors.map(error => {
      const body = bodyOf(error)
      if (Number(body.statusCode) >= 500) log.error({ err: error.originalError ?? error }, 'a field of GraphQL failed')
      const { message, detail, title: _title, type: _type, status, statusCode = status, ...others } = body
      const text = String(message ?? detail ?? 'Error')
      return {
        message: this.#suggests ? text : text.replace(suggestion, ''),
        ...(error.locations === undefined ? {} : { locations: error.locations }),
        ...(error.path === undefined ? {} : { path: error.path }),
        extensions: { statusCode, ...others }
      }
    })
  }

  /** A request that was refused, or failed, as a whole. */
  refusal (error: unknown, log: Log): { readonly status: number, readonly shown: GraphQLFormattedError[] } {
    const shown = this.shown(faultsOf(error), log)
    const status = Number(shown[0]?.extensions?.statusCode)
    return { status: Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500, shown }
  }
}

/** A document may have several faults. */
function faultsOf (error: unknown): GraphQLError[] {
  if (error instanceof GraphQLError) return [error]
  const { errors } = (error ?? {}) as { errors?: unknown }
  if (Array.isArray(errors) && errors.length > 0 && errors.every(each => each instanceof GraphQLError)) return errors
  return [new GraphQLError('', { originalError: error as Error })]
}

function bodyOf (error: GraphQLError): Readonly<Record<string, unknown>> {
  const { originalError, message, extensions, path } = error
  if (originalError instanceof MethodError) return originalError.shown
  // GraphQL found a fault of the document, of its variables or of arguments. What a field has that its type does not
  // take is a fault of the server.
  if (originalError instanceof GraphQLError || (originalError === undefined && path === undefined)) {
    return { statusCode: 400, name: 'GraphQLError', message, code: 'GRAPHQL_INVALID_DOCUMENT', ...extensions }
  }
  return errorBody(originalError ?? error)
}
