/** Has the work of an application's models go through who measures it. */
import { instrumentsOf, type Instrument } from '../contracts/instrumentation.js'
import { instrumentRequests, observeReads } from '../data-source/observable-connector.js'
import type { StoreRead } from '../data-source/explanation.js'
import { notify, type HookName, type Observer } from '../hooks.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { MaybePromise } from '../maybe-promise.js'
import { PASSIVE } from '../operations/with-hooks.js'

/**
 * Tells of methods (of routes that are registered from now on), hooks and what stores are asked. Several can be told;
 * where nobody is, none of this is in the way of anything. Call it again when there are more data sources.
 *
 * ```js
 * const stop = instrument(registry, (step, work) => {
 *   console.log(step.kind, step.name) // 'method' 'Note.find', 'query' 'db'
 *   return work()
 * })
 * ```
 * @returns ends it
 */
export function instrument (registry: ModelRegistry, listener: Instrument): () => void {
  const instruments = instrumentsOf(registry)
  const isFirst = instruments.isEmpty
  instruments.add(listener)
  if (isFirst) compileAnew(registry)
  for (const [name, { connector }] of Object.entries(registry.dataSources)) {
    instrumentRequests(connector, (request, work, more) => {
      const { sql, command, params = [] } =
        request as { readonly sql?: unknown, readonly command?: unknown, readonly params?: readonly unknown[] }
      const text = typeof sql === 'string' ? sql : undefined
      const operation = text === undefined ? command : /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase()
      const model = more?.model
      return instruments.around({
        kind: 'query',
        name,
        model: typeof model === 'string' ? model : undefined,
        operation: typeof operation === 'string' ? operation : undefined,
        text
      }, () => work(request), { statement: text === undefined ? undefined : { sql: text, params } })
    })
  }
  return () => {
    instruments.remove(listener)
    if (!instruments.isEmpty) return
    compileAnew(registry)
    for (const { connector } of Object.values(registry.dataSources)) instrumentRequests(connector, undefined)
  }
}

/**
 * Tells of what models are read, and has it done: what is asked of a store meanwhile belongs to it.
 *
 * ```js
 * const stop = instrumentReads(registry, (dataSource, read, work) => work())
 * ```
 * @returns ends it
 */
export function instrumentReads (
  registry: ModelRegistry,
  listener: <T>(dataSource: string, read: StoreRead, work: () => MaybePromise<T>) => MaybePromise<T>
): () => void {
  const stops = Object.entries(registry.dataSources).map(([name, { connector }]) =>
    observeReads(connector, { read: (read, work) => listener(name, read, work) }))
  return () => { for (const stop of stops) stop() }
}

function compileAnew (registry: ModelRegistry): void {
  for (const Model of Object.values(registry.models)) Model.state.invalidate()
}

/** The observers of a hook as one that is told of; the framework's own are left alone. */
export function instrumentedHook (
  told: Instrument, model: string, hook: HookName, observers: readonly Observer[]
): readonly Observer[] {
  if (observers.every(observer => PASSIVE in observer)) return observers
  const step = { kind: 'hook', name: `${model} ${hook}`, model } as const
  return [context => told(step, () => notify(observers, context), { changing: () => context.instance ?? context.data })]
}
