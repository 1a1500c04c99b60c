/** The setting `queryLimits` as it is now, which code may set anew: made once for each value. */
import { queryLimitsOf, type QueryLimits } from './limits.js'
import { parseModes, type ParseModes } from './parse-modes.js'

export class CurrentLimits {
  #kept: { readonly setting: unknown; readonly limits: QueryLimits; readonly parsing: ParseModes } | undefined

  /** @throws FBK_CORE_INVALID_DEFINITION for a setting that cannot be */
  of (setting: unknown): { readonly limits: QueryLimits; readonly parsing: ParseModes } {
    if (this.#kept === undefined || this.#kept.setting !== setting) {
      const limits = queryLimitsOf(setting)
      this.#kept = { setting, limits, parsing: parseModes(limits) }
    }
    return this.#kept
  }
}
