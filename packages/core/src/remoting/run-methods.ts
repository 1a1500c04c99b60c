/** Remote methods whose function stands in the definition, as `run`: functions of the class and of its instances. */
import { promiseOrCallback, splitCallback } from '../callbacks.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { MethodContext } from '../typed/methods.js'

type Run = (this: unknown, args: object, context: MethodContext) => unknown

/**
 * The functions that methods of a definition have, by the name of the method.
 *
 * ```js
 * runMethods(Note, { stats: { run: ({ since }) => … }, 'prototype.finish': { run () { … } } })
 * // { statics: { stats }, instances: { finish } }
 * ```
 */
export function runMethods (
  Model: ModelClass, methods: Readonly<Record<string, unknown>>
): { statics: Record<string, unknown>, instances: Record<string, unknown> } {
  const statics: Record<string, unknown> = {}
  const instances: Record<string, unknown> = {}
  for (const [name, method] of Object.entries(methods)) {
    const run = (method as { run?: unknown } | null)?.run
    if (typeof run !== 'function') continue
    const isStatic = !name.startsWith('prototype.')
    const holder = isStatic ? statics : instances
    holder[isStatic ? name : name.slice('prototype.'.length)] = byName(Model, run as Run)
  }
  return { statics, instances }
}

/**
 * `Note.stats(args, [options], [callback])`. Anyone who calls it for somebody outside hands over the call's context,
 * too, which has the options.
 */
const byName = (Model: ModelClass, run: Run) => function (this: unknown, ...given: unknown[]): unknown {
  const { values: [args, options, context], callback } = splitCallback(given)
  return promiseOrCallback(
    () => run.call(this, args ?? {}, (context ?? { options: options ?? {} }) as MethodContext),
    callback,
    false,
    Model.registry
  )
}
