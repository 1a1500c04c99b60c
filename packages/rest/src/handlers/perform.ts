/** Runs the method of a model with its hooks and the phases of calls. */
import type { ModelInstance, OperationOptions, SharedMethod } from '@fastback/core'
import type { RemoteContext } from '../hooks/context.js'
import { runErrorHooks, runHooks } from '../hooks/run.js'
import { sourceOf } from '../parse/source.js'
import { pathValue } from '../parse/text.js'
import { streamOpener } from '../stream/change-stream.js'
import { openPages } from '../rows/open-pages.js'
import { isRowFormat } from '../rows/row-encoding.js'
import type { Format } from './format.js'
import { functionOf, invoke, loadInstance } from './invoke.js'
import type { RemoteRoute } from './remote-route.js'
import { resultOf, type Targets } from './result.js'

/** Errors of the instance, of hooks and of the method go through error hooks. */
export async function performWithHooks (
  route: RemoteRoute, context: RemoteContext, targets: Targets, demand: () => void, format: Format
): Promise<void> {
  const { method, hooks, settings: { phases } } = route
  try {
    if (!method.isStatic) context.instance ??= await instanceFor(method, context)
    if (phases.isPlain) {
      // Most methods have no hooks: a list without any costs no turn.
      if (hooks.before.length > 0) await runHooks(hooks.before, context)
      demand()
      await call(route, context, targets, format)
      if (hooks.after.length > 0) await runHooks(hooks.after, context)
    } else {
      await phases.run(context, {
        before: () => runHooks(hooks.before, context),
        call: () => {
          demand()
          return call(route, context, targets, format)
        },
        after: () => runHooks(hooks.after, context)
      })
    }
  } catch (error) {
    context.error = error
    await runErrorHooks(route.hooks.afterError, context)
    throw context.error
  }
}

async function call (
  route: RemoteRoute, context: RemoteContext, targets: Targets, format: Format
): Promise<void> {
  const { method } = route
  const open = streamOpener(context)
  if (open !== undefined) {
    context.result = await open(context)
    return
  }
  const pages = isRowFormat(format) ? await openPages(route, context, format) : undefined
  if (pages !== undefined) {
    context.result = pages
    return
  }
  const scope = context.getScope()
  const args = method.byName
    ? [context.args, context.options, context]
    : route.reader.names.map(name => context.args[name])
  const hasSeveral = method.returns.length > 1
  const given = await invoke(functionOf(method, scope), scope, args, route.writesByItself, hasSeveral)
  context.result = resultOf(method, given, targets)
}

async function instanceFor (method: SharedMethod, context: RemoteContext): Promise<ModelInstance> {
  const id = pathValue((context.request.params as { id: string }).id)
  context.ctorArgs = { id }
  return await loadInstance(method.model, id, context.options as OperationOptions)
}

/** Methods that get the response may use it at any time. */
export const writesByItself = (method: Pick<SharedMethod, 'accepts'>): boolean =>
  method.accepts.some(argument => ['res', 'req', 'context'].includes(sourceOf(argument) as string))
