/** Changes of which models other processes are told. */
import type { ModelClass } from '../interfaces/model-class.js'
import { isPersisted } from '../remoting/shared-methods.js'
import { changeFeedOf } from './change-feed.js'

/**
 * Has a model's changes told to other processes, where somebody may have a stream of them: the model is published, or
 * has the setting `changeStream`.
 *
 * ```js
 * registry.on('modelAttached', shareChanges)
 * ```
 */
export function shareChanges (Model: ModelClass): void {
  const { state } = Model
  if (state.dataSource === undefined || !isPersisted(Model)) return
  if (state.isPublic !== false || state.settings.changeStream !== undefined) changeFeedOf(state).share()
}
