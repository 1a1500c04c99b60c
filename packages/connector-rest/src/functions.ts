/** What operations are called by, in JavaScript and over REST (service-connectors.md, SC-M1 to SC-M6). */
import type { ArgumentDefinition, RemoteMethodOptions } from '@fastback/core'
import { splitCallback } from '@fastback/core/connector'
import type { RestResponse } from './response.js'
import type { Operation, Outcome } from './operation.js'
import type { OperationSettings } from './settings.js'
import { remoteCallOf } from './remote-call.js'
import { defaultOf } from './template/convert.js'
import type { Declared, Source } from './template/scope.js'

/** `(...parameters, callback?)`; without a callback a promise of the body. */
export type ServiceFunction = (...args: unknown[]) => Promise<unknown> | undefined
export type ServiceCallback = (error: unknown, body?: unknown, response?: RestResponse) => void

/** A function, and how it is shared. */
export interface SharedFunction {
  readonly name: string
  readonly call: ServiceFunction
  readonly route: RemoteMethodOptions
}

interface Parameter {
  readonly name: string
  readonly slot: number | undefined
  /**
   * Where nothing is given at all (SC-M2). Over REST it holds always, as LoopBack reads no value of such a parameter
   * (recorded).
   */
  readonly default: unknown
  readonly source: string | undefined
}

type Written = NonNullable<OperationSettings['functions']>[string][number]

/** The functions of an operation. */
export function functionsOf (operation: Operation): SharedFunction[] {
  return Object.entries(operation.operation.functions ?? {}).map(([name, written]) => {
    const parameters = written.map(each => parameterOf(operation, each))
    return { name, call: functionOf(operation, parameters), route: routeOf(operation, name, parameters) }
  })
}

/** A function that takes values by name: `invoke` (SC-M6). */
export function invokeOf (operation: Operation): ServiceFunction {
  const { scope } = operation
  return (...args) => {
    const { values: [given], callback } = splitCallback(args)
    const named = (given ?? {}) as Readonly<Record<string, unknown>>
    const values = scope.variables.map(({ name }) => Object.hasOwn(named, name) ? named[name] : undefined)
    return settle(operation.call(operation.request(values), undefined), callback as ServiceCallback | undefined)
  }
}

function parameterOf ({ scope }: Operation, written: Written): Parameter {
  const { name: text, source } = typeof written === 'string' ? { name: written, source: undefined } : written
  const [, name = text, fallback] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  const slot = scope.slot(name)
  const type = slot === undefined ? 'string' : scope.variables[slot]?.type as string
  return { name, slot, source, default: defaultOf(type, fallback) }
}

function functionOf (operation: Operation, parameters: readonly Parameter[]): ServiceFunction {
  return (...args) => {
    const { values: given, callback } = splitCallback(args)
    const remote = remoteCallOf(given[parameters.length], operation.method)
    const values: unknown[] = []
    parameters.forEach(({ slot, default: fallback }, i) => {
      if (slot === undefined) return
      const isGiven = i < given.length && (remote === undefined || fallback === undefined)
      values[slot] = (isGiven ? given[i] : undefined) ?? fallback
    })
    const outcome = operation.call(operation.request(values), remote)
    return settle(outcome, callback as ServiceCallback | undefined)
  }
}

/** The two forms of every function (SC-M3). */
function settle (outcome: Promise<Outcome>, callback: ServiceCallback | undefined): Promise<unknown> | undefined {
  if (callback === undefined) {
    return outcome.then(({ error, result }) => {
      if (error !== undefined) throw error
      return result
    })
  }
  outcome.then(
    ({ error, result, response }) => { process.nextTick(callback, error ?? null, result, response) },
    (error: unknown) => { process.nextTick(callback, error) }
  )
}

/** SC-M4. */
function routeOf (operation: Operation, name: string, parameters: readonly Parameter[]): RemoteMethodOptions {
  const accepts = parameters.map(({ name, slot, source }) => {
    const variable = slot === undefined ? undefined : operation.scope.variables[slot]
    return argumentOf(name, variable, source ?? variable?.source ?? 'query')
  })
  const whole = accepts.filter(({ type, http }) => sourceOf(http) === 'body' && type !== 'object' && type !== 'any')
  for (const { arg } of whole) {
    operation.warn(`The argument "${arg}" of "${name}" is the whole body of a request. Write { "name": "${arg}", "source": "form" } to read a field`)
  }
  const path = accepts.filter(({ http }) => sourceOf(http) === 'path').map(({ arg }) => `/:${arg}`).join('')
  return {
    description: `Calls the service: ${operation.method} ${name}`,
    // What the call was made by: who goes away ends it.
    accepts: [...accepts, { arg: 'context', type: 'object', http: { source: 'context' } }],
    returns: { arg: 'result', type: operation.isStream ? 'file' : 'object', root: true },
    http: { verb: operation.method.toLowerCase(), path: `/${name}${path}` }
  }
}

function argumentOf (arg: string, variable: Declared | undefined, source: string): ArgumentDefinition {
  return {
    arg,
    type: typeOf(variable?.type ?? 'string'),
    required: variable?.argumentRequired ?? false,
    http: { source: source as Source }
  }
}

const sourceOf = (http: ArgumentDefinition['http']): string | undefined =>
  typeof http === 'object' ? http.source : undefined

/** The type of an argument, of a variable's: it may be any word. */
function typeOf (type: string): unknown {
  switch (type) {
    case 'string': case 'number': case 'boolean': case 'object': case 'date': return type
    case 'array': return ['any']
    default: return 'any'
  }
}
