/** Runs the method of a model with its hooks and the phases of calls. */
import type { ModelInstance, OperationOptions, SharedMethod } from '@fastback/core'
import type { RemoteContext } from '../hooks/context.js'
import { runErrorHooks, runHooks } from '../hooks/run.js'
import { sourceOf } from '../parse/source.js'
import { pathValue } from '../parse/text.js'
import type { CallSteps } from '../remoting/phases.js'
import { hasBuiltinChangeStream, openChangeStream } from '../stream/change-stream.js'
import { functionOf, invoke, loadInstance } from './invoke.js'
import type { RemoteRoute } from './remote-route.js'
import { resultOf, type Targets } from './result.js'

/** Errors of the instance, of hooks and of the method go through error hooks. */
export async function performWithHooks (route: RemoteRoute, context: RemoteContext, targets: Targets): Promise<void> {
  const { method, settings: { phases } } = route
  try {
    if (!method.isStatic) context.instance ??= await instanceFor(method, context)
    const steps = stepsOf(route, context, targets)
    if (phases.isPlain) {
      await steps.before()
      await steps.call()
      await steps.after()
    } else await phases.run(context, steps)
  } catch (error) {
    context.error = error
    await runErrorHooks(route.hooks.afterError, context)
    throw context.error
  }
}

function stepsOf (route: RemoteRoute, context: RemoteContext, targets: Targets): CallSteps {
  const { method, hooks } = route
  return {
    before: () => runHooks(hooks.before, context),
    async call () {
      const scope = context.getScope()
      const args = method.byName
        ? [context.args, context.options, context]
        : route.reader.names.map(name => context.args[name])
      context.result = hasBuiltinChangeStream(context)
        ? openChangeStream(context)
        : resultOf(method, await invoke(functionOf(method, scope), scope, args, writesByItself(method)), targets)
    },
    after: () => runHooks(hooks.after, context)
  }
}

async function instanceFor (method: SharedMethod, context: RemoteContext): Promise<ModelInstance> {
  const id = pathValue((context.request.params as { id: string }).id)
  context.ctorArgs = { id }
  return await loadInstance(method.model, id, context.options as OperationOptions)
}

/** Methods that get the response may use it at any time. */
export const writesByItself = (method: Pick<SharedMethod, 'accepts'>): boolean =>
  method.accepts.some(argument => ['res', 'req', 'context'].includes(sourceOf(argument) as string))
