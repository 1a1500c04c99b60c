/** Changes of which models other processes are told. */
import type { ModelClass } from '../interfaces/model-class.js'
import { isPersisted } from '../remoting/shared-methods.js'
import { changeFeedOf } from './change-feed.js'

/**
 * Has a model's changes told to other processes, where somebody may have a stream of them: the model is published, has
 * the setting `changeStream`, or live queries of other models may look at it.
 *
 * ```js
 * registry.on('modelAttached', shareChanges)
 * ```
 */
export function shareChanges (Model: ModelClass): void {
  const { state } = Model
  if (state.dataSource === undefined || !isPersisted(Model)) return
  const isWatched = state.settings.changeStream !== undefined || Model.registry.settings.live === true
  if (state.isPublic !== false || isWatched) changeFeedOf(state).share()
}
