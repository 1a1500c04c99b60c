/** Errors in the form that GraphQL has for them, with the members of our own. */
import { errorBody } from '@fastback/rest'
import { GraphQLError, type ExecutionResult, type GraphQLFormattedError } from 'graphql'
import type { FastifyBaseLogger } from 'fastify'
import { MethodError } from '../execution/call.js'

type Body = Readonly<Record<string, unknown>>

interface Formatting {
  readonly log: Pick<FastifyBaseLogger, 'error'>
  /** Whether messages may name what the schema has. */
  readonly suggests: boolean
}

/** What GraphQL adds to its messages. */
const suggestion = / Did you mean [^?]*\?$/

/** What a client sees of errors: message, where, and `extensions` with `code`, `statusCode` and `name`. */
export function formatErrors (
  errors: readonly GraphQLError[], { log, suggests }: Formatting
): GraphQLFormattedError[] {
  return errors.flatMap(error => withinOf(error)).map(error => {
    const body = bodyOf(error)
    if (Number(body.statusCode) >= 500) log.error({ err: error.originalError ?? error }, 'a field of GraphQL failed')
    const { message, detail, title: _title, type: _type, status, statusCode = status, ...others } = body
    const text = String(message ?? detail ?? 'Error')
    return {
      message: suggests ? text : text.replace(suggestion, ''),
      ...(error.locations === undefined ? {} : { locations: error.locations }),
      ...(error.path === undefined ? {} : { path: error.path }),
      extensions: { statusCode, ...others }
    }
  })
}

/** The status of a request that was refused as a whole. */
export function statusOfErrors (errors: readonly GraphQLFormattedError[]): number {
  const status = Number(errors[0]?.extensions?.statusCode)
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500
}

/** The result of an operation is 200, whatever became of its fields: what has no result was refused. */
export const isResult = (execution: ExecutionResult): boolean => 'data' in execution

/** A document may have several faults. */
function withinOf (error: GraphQLError): GraphQLError[] {
  const { errors } = (error.originalError ?? {}) as { errors?: unknown }
  if (!Array.isArray(errors)) return [error]
  return errors.map(each => each instanceof GraphQLError
    ? each
    : new GraphQLError(String((each as Error).message), {
      originalError: Object.assign(new GraphQLError('invalid'), { statusCode: statusIn(error.originalError) })
    }))
}

const statusIn = (error: unknown): number => Number((error as { statusCode?: unknown } | undefined)?.statusCode) || 400

function bodyOf (error: GraphQLError): Body {
  const { originalError, message, extensions } = error
  if (originalError instanceof MethodError) return originalError.shown
  // Faults of a document, of variables and of arguments: GraphQL found them.
  if (originalError instanceof GraphQLError || (originalError === undefined && !isOfResult(error))) {
    return { statusCode: 400, name: 'GraphQLError', message, code: 'GRAPHQL_INVALID_DOCUMENT', ...extensions }
  }
  return errorBody(originalError ?? error)
}

/** Whether a value that was read is not what its type says. */
const isOfResult = ({ path }: GraphQLError): boolean => path !== undefined
