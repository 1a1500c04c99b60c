/** Gives models a method for each operation (SO-M1 to SO-M7). */
import type { ModelClass, RemoteHook, RemoteMethodOptions } from '@fastback/core'
import { addRemoteHook, closeRowMethods, ownRemoteMethod, setRemoteMethod } from '@fastback/core/remote'
import { isCalledUnasked } from '@fastback/service-client'
import { invalidInput, notReadYet } from './errors.js'
import { untypedResult } from './message/response.js'
import { readEnvelopeNow } from './message/envelope.js'
import { SoapFault, type FaultDetails } from './message/fault.js'
import { longName } from './naming.js'
import { describeMessage } from './schema/json-schema.js'
import type { SoapConnector } from './soap-connector.js'
import type { CallOptions, CallResult } from './soap-service.js'
import type { Operation } from './wsdl/operations.js'

type Callback = (error: unknown, result?: unknown, envelope?: string, soapHeader?: unknown) => void

/** An operation as a method of a model. */
export interface SoapMethod {
  (input: unknown, callback: Callback, options?: CallOptions, httpHeaders?: Readonly<Record<string, string>>): void
  (input?: unknown, options?: CallOptions, httpHeaders?: Readonly<Record<string, string>>): Promise<CallResult>
  /** The XML of an input. */
  jsonToXML (input: unknown): string
  /** What an envelope answers, as text all through. */
  xmlToJSON (envelope: string): unknown
}

/** The form without a callback has none, or `undefined` in its place. */
function split (args: readonly unknown[]): { values: readonly unknown[], callback: Callback | undefined } {
  const at = args.findIndex(each => typeof each === 'function')
  if (at >= 0) return { values: args.toSpliced(at, 1), callback: args[at] as Callback }
  const isSkipped = args.length > 2 && (args[1] === undefined || args[1] === null)
  return { values: isSkipped ? args.toSpliced(1, 1) : args, callback: undefined }
}

/** @throws RequestError 503 SERVICE_UNAVAILABLE before the WSDL has been read */
function operationOf (connector: SoapConnector, name: string): Operation {
  const operation = connector.open?.named.methods.get(name)
  if (operation === undefined) throw notReadYet(connector.context.dataSource, undefined)
  return operation
}

/** Headers of one call; LoopBack's callers put those of the envelope among them. */
function headersOf (given: unknown): { readonly http: Record<string, string> } & Pick<CallOptions, 'soapHeaders'> {
  const { soapHeaders, ...http } = (given ?? {}) as Record<string, string> & Pick<CallOptions, 'soapHeaders'>
  return { http, ...soapHeaders === undefined ? {} : { soapHeaders } }
}

function methodOf (connector: SoapConnector, name: string): SoapMethod {
  const call = async (input: unknown, options: CallOptions | undefined, headers: unknown): Promise<CallResult> => {
    const { service } = await connector.service()
    const { http, ...ofEnvelope } = headersOf(headers)
    return await service.call(operationOf(connector, name), input, { ...ofEnvelope, ...options }, http)
  }
  const method = (...args: unknown[]): Promise<CallResult> | undefined => {
    const { values: [input, options, headers], callback } = split(args)
    const called = call(input, options as CallOptions | undefined, headers)
    if (callback === undefined) return called
    called.then(
      ({ result, envelope, soapHeader }) => { process.nextTick(callback, null, result, envelope, soapHeader) },
      (error: Partial<FaultDetails>) => { process.nextTick(callback, error, error.root ?? null, error.body) }
    )
  }
  return Object.assign(method as SoapMethod, {
    jsonToXML: (input: unknown) => {
      const operation = operationOf(connector, name)
      return connector.open?.service.write(operation, input) as string
    },
    xmlToJSON: (envelope: string) => untypedResult(readEnvelopeNow(envelope), { longsAreText: true })
  })
}

/**
 * Puts the methods on a model, and publishes them with `remotingEnabled`. What the application has put there is its
 * own.
 */
export function mixIn (Model: ModelClass, connector: SoapConnector): void {
  closeRowMethods(Model)
  for (const known of connector.methods) {
    const operation = connector.open?.named.methods.get(known)
    const name = freeName(Model, known, operation, connector)
    if (!Object.hasOwn(Model, name)) define(Model, name, methodOf(connector, known))
    if (connector.settings.remotingEnabled === true && isOurs(Model, name)) share(Model, name, connector, operation)
  }
  for (const by of ['jsonToXML', 'xmlToJSON'] as const) {
    if (Object.hasOwn(Model, by)) continue
    define(Model, by, (name: string, given: never) => methodOf(connector, name)[by](given))
  }
}

const define = (Model: ModelClass, name: string, value: unknown): void => {
  Object.defineProperty(Model, name, { value, writable: true, configurable: true, enumerable: true })
}

/** A model that is told of its methods again, once the WSDL has been read. */
const isOurs = (Model: ModelClass, name: string): boolean => typeof Model[name] === 'function' && 'jsonToXML' in Model[name]

/** What every model class has is not taken away from it: such an operation has its long name. */
function freeName (
  Model: ModelClass, name: string, operation: Operation | undefined, { context }: SoapConnector
): string {
  if (operation === undefined) return name
  if (isCalledUnasked(name)) return longName(operation)
  if (!(name in Model) || Object.hasOwn(Model, name)) return name
  if (isOurs(Model, name)) return name
  const other = longName(operation)
  context.log.warn({ model: Model.modelName }, `Every model has "${name}": the operation of that name is "${other}"`)
  return other
}

function share (Model: ModelClass, name: string, connector: SoapConnector, operation: Operation | undefined): void {
  const isPublished = ownRemoteMethod(Model, name) !== undefined
  // Not by `remoteMethod`, which would open what the application has closed.
  if (!isPublished || operation !== undefined) setRemoteMethod(Model, name, routeOf(name, connector, operation))
  if (isPublished) return
  addRemoteHook(Model, { moment: 'before', pattern: name, listener: refuseXml as RemoteHook['listener'] })
  addRemoteHook(Model, { moment: 'afterError', pattern: name, listener: tellClient as RemoteHook['listener'] })
}

function routeOf (name: string, { settings }: SoapConnector, operation: Operation | undefined): RemoteMethodOptions {
  const longsAreText = settings.longs === 'text'
  const described = (message: Operation['output'], direction: 'in' | 'out') =>
    message === undefined ? {} : { jsonSchema: describeMessage(message, direction, longsAreText) }
  return {
    description: operation?.description ?? `Calls the operation ${operation?.name ?? name}`,
    accepts: [{
      arg: 'input', type: 'object', required: true, http: { source: 'body' }, ...described(operation?.input, 'in')
    }],
    returns: { arg: 'result', type: 'object', root: true, ...described(operation?.output, 'out') },
    http: { verb: 'post', path: `/${name}` },
    accessType: 'EXECUTE',
    responses: {
      204: 'The service answered nothing',
      422: 'The service refuses the input',
      502: 'The service failed, or cannot be reached',
      503: 'The service is not called for now',
      504: 'The service took too long'
    }
  }
}

interface CallContext { readonly args: { readonly input?: unknown }, error?: unknown }

/** Ready XML is not taken from callers (SC-S6). */
function refuseXml ({ args }: CallContext, _result: unknown, next: (error?: unknown) => void): void {
  next(holdsXml(args.input) ? invalidInput('$xml', 'ready XML is not taken') : undefined)
}

const holdsXml = (value: unknown): boolean =>
  typeof value === 'object' && value !== null &&
  (Object.hasOwn(value, '$xml') || Object.values(value).some(holdsXml))

/** The message of a fault is for code in the process; a client gets its text (SO-F4). */
function tellClient (context: CallContext, next: (error?: unknown) => void): void {
  if (context.error instanceof SoapFault) context.error = context.error.forClient()
  next()
}
