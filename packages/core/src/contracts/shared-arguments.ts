/** Arguments that many methods have. */
import type { ArgumentDefinition } from '../interfaces/shared-method.js'

/**
 * The options of an operation, which no client sends: who asks, and what they may.
 *
 * ```js
 * setRemoteMethod(Note, 'archive', { accepts: [idArgument, optionsArgument], http: { path: '/:id/archive' } })
 * ```
 */
export const optionsArgument: ArgumentDefinition = { arg: 'options', type: 'object', http: 'optionsFromRequest' }

/**
 * The id of a row, in the path.
 *
 * ```js
 * setRemoteMethod(Note, 'archive', { accepts: [idArgument, optionsArgument], http: { path: '/:id/archive' } })
 * ```
 */
export const idArgument: ArgumentDefinition = {
  arg: 'id', type: 'any', required: true, description: 'Model id', http: { source: 'path' }
}
