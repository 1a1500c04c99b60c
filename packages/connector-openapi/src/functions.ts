/** Operations as functions, in JavaScript and over REST. */
import type { ArgumentDefinition, RemoteMethodOptions } from '@fastback/core'
import { splitCallback } from '@fastback/core/connector'
import { remoteCallOf, type RestResponse, type ServiceCallback, type ServiceFunction } from '@fastback/connector-rest/service'
import type { CallSignal, HttpMethod } from '@fastback/service-client'
import type { Json } from './json.js'
import { bodyArgument, success, type ApiOperation, type Body } from './operations.js'
import { withoutSlowPatterns } from './patterns.js'
import type { Values } from './request.js'

/** Calls an operation with arguments by name. */
export type Call = (
  operation: ApiOperation, values: Values, signal: CallSignal | undefined
) => Promise<{ readonly body: unknown, readonly response: RestResponse | undefined }>

const namesOf = ({ parameters, body }: ApiOperation): string[] =>
  [...parameters.map(({ argument }) => argument), ...body === undefined ? [] : [bodyArgument]]

const named = (names: readonly string[], values: readonly unknown[]): Values =>
  Object.fromEntries(names.flatMap((name, at) => values[at] === undefined ? [] : [[name, values[at]]]))

/**
 * A function that takes its arguments by name, in one object, or one after the other in the order of the document, the
 * body last; and a callback behind them.
 */
export function functionOf (operation: ApiOperation, isPositional: boolean, call: Call): ServiceFunction {
  const names = namesOf(operation)
  return (...args) => {
    const remote = remoteCallOf(args[names.length], operation.method as HttpMethod)
    const { values, callback } = remote === undefined
      ? splitCallback(args)
      : { values: args.slice(0, names.length), callback: args[names.length + 1] as ServiceCallback | undefined }
    const given = isPositional || remote !== undefined ? named(names, values) : (values[0] ?? {}) as Values
    const outcome = call(operation, given, remote?.signal)
    const type = success(operation)?.isBinary === true ? 'content-type' : undefined
    if (callback === undefined) return outcome.then(({ body }) => body)
    outcome.then(
      ({ body, response }) => {
        const answered = type === undefined ? undefined : response?.headers[type]
        if (answered !== undefined) remote?.context.reply.header('content-type', answered)
        process.nextTick(callback, null, body, response)
      },
      (error: unknown) => { process.nextTick(callback, error) }
    )
  }
}

/** Types of arguments whose texts are converted. */
function typeOf ({ type, items }: Json): unknown {
  switch ([type].flat().find(each => each !== 'null')) {
    case 'integer':
    case 'number': return 'number'
    case 'boolean': return 'boolean'
    case 'string': return 'string'
    case 'object': return 'object'
    case 'array': {
      const item = typeOf((items ?? {}) as Json)
      return Array.isArray(item) ? ['any'] : [item]
    }
    default: return 'any'
  }
}

function bodyArgumentOf ({ required, description, schema }: Body): ArgumentDefinition {
  return {
    arg: bodyArgument,
    type: schema.type === 'object' ? 'object' : 'any',
    required,
    ...description === undefined ? {} : { description },
    jsonSchema: withoutSlowPatterns(schema),
    http: { source: 'body' }
  }
}

/** How an operation is shared: its verb, at the path of its name. */
export function routeOf (operation: ApiOperation, name: string): RemoteMethodOptions {
  const { parameters, body, method, description } = operation
  const answer = success(operation)
  const path = parameters.filter(({ style }) => style.place === 'path').map(({ argument }) => `/:${argument}`).join('')
  return {
    description: description ?? `Calls ${method} ${operation.path}`,
    accepts: [
      ...parameters.map(({ argument, required, description: about, schema, style: { place } }): ArgumentDefinition => ({
        arg: argument,
        type: typeOf(schema),
        required,
        ...about === undefined ? {} : { description: about },
        jsonSchema: withoutSlowPatterns(schema),
        // No page of this server's may set a cookie for another one.
        http: { source: place === 'cookie' ? 'header' : place }
      })),
      ...body === undefined ? [] : [bodyArgumentOf(body)],
      { arg: 'context', type: 'object', http: { source: 'context' } }
    ],
    returns: answer?.isBinary === true
      ? { arg: 'result', type: 'file', root: true }
      : {
          arg: 'result',
          type: answer?.schema?.type === 'array' ? ['any'] : answer?.schema?.type === 'object' ? 'object' : 'any',
          root: true,
          ...answer?.schema === undefined ? {} : { jsonSchema: answer.schema }
        },
    http: { verb: method.toLowerCase(), path: `/${name}${path}` },
    responses: { 502: 'The service failed, or cannot be reached', 504: 'The service took too long' }
  }
}
