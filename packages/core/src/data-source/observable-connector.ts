/** `connector.observe('after execute', …)` for every connector of a data source. */
import { aroundRequests, observerMethods, Observers, within, type Around } from '../observers.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { Connector } from './connector.js'
import { operationNames } from './operation-kinds.js'
import { recordReads, type Recorder } from './recorded-reads.js'
import { Recorders } from './recorders.js'

const kInstrumented = Symbol('fastback.instrumented')
const kRecorded = Symbol('fastback.recorded')

type Instrumented = Connector & {
  readonly [kInstrumented]?: (around: Around | undefined) => void
  readonly [kRecorded]?: (recorder: Recorder) => () => void
}

type Operation = (this: Connector, model: StoredModel, ...args: unknown[]) => MaybePromise<unknown>

/**
 * Gives a connector the methods of juggler's observers, unless it has its own. While nobody observes, the connector is
 * as it was made: what requests go through is put there by the first observer of `before execute` or `after execute`,
 * and taken away with the last.
 */
export function makeObservable (connector: Connector): void {
  if ('observe' in connector) {
    let stop: (() => void) | undefined
    const recorders = new Recorders(() => {
      stop?.()
      stop = recorders.all && recordReads(connector, recorders.all)
    })
    Object.defineProperty(connector, kRecorded, { value: recorders.add, configurable: true })
    return
  }
  const observers = new Observers()
  const around = aroundRequests(observers)
  let stop: (() => void) | undefined
  let instrument: Around | undefined
  let stopRecording: (() => void) | undefined
  let tells = false
  const listenAnew = (): void => {
    stopRecording?.()
    stop?.()
    // Who records is told of what is left of a request in the end.
    const recorder = recorders.all
    const recording = connector.observed === undefined ? undefined : recorder?.request
    const wanted = [instrument, tells ? around : undefined, recording]
      .filter(each => each !== undefined)
      .reduceRight<Around | undefined>((inner, outer) => inner === undefined ? outer : within(outer, inner), undefined)
    stop = wanted && listen(connector, wanted)
    stopRecording = recorder && recordReads(connector, recorder)
  }
  const recorders = new Recorders(listenAnew)
  const methods = observerMethods(observers, () => {
    const told = ['before execute', 'after execute'].some(name => observers.of(name) !== undefined)
    if (told === tells) return
    tells = told
    listenAnew()
  })
  const instrumented = (given: Around | undefined): void => {
    instrument = given
    listenAnew()
  }
  Object.defineProperty(connector, kInstrumented, { value: instrumented, configurable: true })
  Object.defineProperty(connector, kRecorded, { value: recorders.add, configurable: true })
  for (const [name, value] of Object.entries(methods)) {
    if (!(name in connector)) Object.defineProperty(connector, name, { value, configurable: true, writable: true })
  }
}

/**
 * Has the requests of a connector go through `around`, outside of what observers see; undefined: no more. Connectors
 * that bring `observe` themselves are left alone.
 */
export function instrumentRequests (connector: Connector, around: Around | undefined): void {
  (connector as Instrumented)[kInstrumented]?.(around)
}

/**
 * Has the reads of a connector, and what it sends for them, go through a recorder, within those that were added before.
 * Of connectors that bring `observe` themselves only the reads do.
 * @returns takes it away again
 */
export function observeReads (connector: Connector, recorder: Recorder): () => void {
  return (connector as Instrumented)[kRecorded]?.(recorder) ?? (() => {})
}

function listen (connector: Connector, around: Around): () => void {
  if (connector.observed === undefined) return observeOperations(connector, around)
  connector.observed(around)
  return () => { connector.observed?.(undefined) }
}

/**
 * A connector that has no requests of its own to tell of: its operations are what it is asked for.
 * @returns takes it back
 */
function observeOperations (connector: Connector, around: Around): () => void {
  const before: PropertyDescriptorMap = {}
  for (const command of operationNames) {
    const own = Object.getOwnPropertyDescriptor(connector, command)
    if (own !== undefined) before[command] = own
    const operation = Reflect.get(connector, command) as Operation
    const value: Operation = (model, ...args) => {
      const given = args.slice(0, operation.length - 1)
      const rest = args.slice(given.length)
      return around(
        { command, params: given },
        ({ params }) => operation.call(connector, model, ...params, ...rest),
        { model: model.name }
      )
    }
    Object.defineProperty(connector, command, { value, configurable: true, writable: true })
  }
  return () => {
    for (const command of operationNames) Reflect.deleteProperty(connector, command)
    Object.defineProperties(connector, before)
  }
}
