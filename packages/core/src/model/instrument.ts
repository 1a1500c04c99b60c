/** Has the work of an application's models go through somebody who measures it. */
import { registerInstrument, instrumentOf, type Instrument } from '../contracts/instrumentation.js'
import { instrumentRequests } from '../data-source/observable-connector.js'
import { notify, type HookName, type Observer } from '../hooks.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import { PASSIVE } from '../operations/with-hooks.js'

/**
 * Tells of methods (of routes that are registered from now on), hooks and what stores are asked. One at a time can be
 * told; where nobody is, none of this is in the way of anything. Call it again when there are more data sources.
 *
 * ```js
 * const stop = instrument(registry, (step, work) => {
 *   console.log(step.kind, step.name) // 'method' 'Note.find', 'query' 'db'
 *   return work()
 * })
 * ```
 * @returns ends it
 */
export function instrument (registry: ModelRegistry, told: Instrument): () => void {
  const isNew = instrumentOf(registry) !== told
  registerInstrument(registry, told)
  if (isNew) compileAnew(registry)
  for (const [name, { connector }] of Object.entries(registry.dataSources)) {
    instrumentRequests(connector, (request, work, more) => {
      const { sql, command } = request as { readonly sql?: unknown, readonly command?: unknown }
      const text = typeof sql === 'string' ? sql : undefined
      const operation = text === undefined ? command : /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase()
      const model = more?.model
      return told({
        kind: 'query',
        name,
        model: typeof model === 'string' ? model : undefined,
        operation: typeof operation === 'string' ? operation : undefined,
        text
      }, () => work(request))
    })
  }
  return () => {
    registerInstrument(registry, undefined)
    compileAnew(registry)
    for (const { connector } of Object.values(registry.dataSources)) instrumentRequests(connector, undefined)
  }
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
  return [context => told(step, () => notify(observers, context))]
}
