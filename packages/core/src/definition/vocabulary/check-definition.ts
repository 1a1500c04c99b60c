/** What becomes of the faults of a definition: an error, or a line in the log. */
import type { ConnectorLog } from '../../data-source/connector.js'
import { InvalidDefinitionError, InvalidSettingError } from '../../errors.js'
import type { ModelDefinitionInput } from '../definition.js'
import { flattenDefinition } from '../flatten.js'
import { definitionFaults, type Fault } from './faults.js'

/** How strict a registry is with definitions (its setting `modelDefinitions`). */
export type Strictness = 'strict' | 'open'

/**
 * Reads the setting. Definitions are strict unless it says "open", as folders of LoopBack are.
 *
 * ```js
 * strictnessOf(undefined) // 'strict'
 * ```
 * @throws FBK_CORE_INVALID_SETTING for another word
 */
export function strictnessOf (setting: unknown): Strictness {
  if (setting === undefined || setting === null || setting === 'strict') return 'strict'
  if (setting === 'open') return 'open'
  throw new InvalidSettingError('modelDefinitions', 'must be "strict" or "open"')
}

/**
 * Tells the faults of a definition.
 * @param source where it was written
 * @throws FBK_CORE_INVALID_DEFINITION for the first one that is fatal; where definitions are strict, for mistakes, too
 */
export function checkDefinition (
  written: ModelDefinitionInput, source: string | undefined, strictness: Strictness, log: ConnectorLog
): void {
  const place = `${source === undefined ? '' : `${source}: `}model "${written.name}"`
  reportFaults(definitionFaults(flattenDefinition(written, source)), place, strictness, log)
}

/**
 * Throws what must not be, and tells the rest.
 *
 * ```js
 * reportFaults(entryFaults({ options: { maxLimt: 1 } }), 'server/model-config.json, model "Note"', 'open', log)
 * // log.warn: server/model-config.json, model "Note", maxLimt: is not known. Did you mean "maxLimit"?
 * ```
 * @throws FBK_CORE_INVALID_DEFINITION as `checkDefinition`
 */
export function reportFaults (
  faults: readonly Fault[], place: string, strictness: Strictness, log: ConnectorLog
): void {
  for (const { at, says, kind, isOfTools } of faults) {
    if (kind === 'fatal' || (kind === 'mistake' && strictness === 'strict')) {
      throw new InvalidDefinitionError(`${place}, ${at}`, says)
    }
    if (isOfTools === true) continue
    log.warn({ key: at }, `${place}, ${at}: ${says}`)
  }
}
