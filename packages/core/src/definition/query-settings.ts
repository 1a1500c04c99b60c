/** Settings that a data source has for all of its models, as in LoopBack; a model's own win. */
import type { ModelSettings } from './definition.js'

const shared = ['allowExtendedOperators', 'normalizeUndefinedInQuery', 'maxDepthOfQuery', 'maxDepthOfData'] as const

/**
 * A model's settings with those of its data source.
 *
 * ```js
 * withDataSourceSettings({ maxDepthOfQuery: 5 }, { allowExtendedOperators: true })
 * ```
 */
export function withDataSourceSettings (
  settings: ModelSettings, ofDataSource: Readonly<Record<string, unknown>> | undefined
): ModelSettings {
  const isMissing = (name: typeof shared[number]): boolean => settings[name] === undefined || settings[name] === null
  const missing = shared.filter(name => ofDataSource?.[name] !== undefined && isMissing(name))
  return missing.length === 0
    ? settings
    : { ...settings, ...Object.fromEntries(missing.map(name => [name, ofDataSource?.[name]])) }
}
