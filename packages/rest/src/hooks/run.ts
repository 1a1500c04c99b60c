import { callWithNext, mayCallBack } from '@fastback/core/remote'
import type { RemoteContext } from './context.js'
import type { MatchedHook } from './match.js'

/**
 * Runs hooks one after the other. An error of one (thrown, rejected, called back) ends it.
 * Listeners of a model get `(context, result, next)`, those of the application `(context, next, method)` with the
 * object of the call as `this`.
 */
export async function runHooks (hooks: readonly MatchedHook[], context: RemoteContext): Promise<void> {
  for (const { listener, ofApplication } of hooks) {
    await callWithNext(
      next => ofApplication
        ? listener.call(context.getScope(), context, next, context.method)
        : listener(context, context.result, next),
      mayCallBack(listener, ofApplication ? 1 : 2)
    )
  }
}

/**
 * Runs error hooks: `(context, next)`. What one throws or calls back takes the place of the error; the rest are then
 * left out.
 */
export async function runErrorHooks (hooks: readonly MatchedHook[], context: RemoteContext): Promise<void> {
  for (const { listener } of hooks) {
    await callWithNext(next => listener(context, next), mayCallBack(listener, 1))
  }
}

/** Functions of `rest.before` and `rest.after`: `(context, next)`. */
export async function runRestHooks (
  hooks: ReadonlyArray<(context: any, next: (error?: unknown) => void) => unknown>,
  context: RemoteContext
): Promise<void> {
  for (const hook of hooks) await callWithNext(next => hook(context, next), mayCallBack(hook, 1))
}
