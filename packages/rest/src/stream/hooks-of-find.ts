/** Whether what an application does around `find` is done around live queries as well. */
import type { ModelClass } from '@fastback/core'
import { remoteHooksOf } from '@fastback/core/remote'
import { isUntouched } from '../handlers/builtin.js'
import { matches } from '../hooks/match.js'
import { missesHooks } from '../errors/request-errors.js'

/**
 * Refuses live queries of a model where they would give what `find` does not: it has a `find`, or a `toJSON`, of the
 * application's own, or remote hooks that `live` does not have.
 *
 * ```js
 * mustHaveHooksOfFind(Note) // throws where there is a Note.beforeRemote('find', …), and none that "live" has
 * ```
 * @throws RequestError 501 LIVE_MISSES_HOOKS
 */
export function mustHaveHooksOfFind (Model: ModelClass): void {
  const { modelName, registry } = Model
  if (!isUntouched(Model, 'find')) throw missesHooks(modelName, 'a "find" or a "toJSON" of its own')
  const isMissed = (prefix: string) => ({ pattern, moment }: { pattern: string, moment: string }): boolean =>
    moment !== 'afterError' && matches(pattern, `${prefix}find`) && !matches(pattern, `${prefix}live`)
  const hook = remoteHooksOf(Model).find(isMissed('')) ?? registry.remoteHooks.find(isMissed(`${modelName}.`))
  if (hook === undefined) return
  throw missesHooks(modelName, `a remote hook of "${hook.pattern}" (${hook.moment}), which "live" does not have`)
}
