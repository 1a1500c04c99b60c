import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { strictnessOf } from './definition/vocabulary/check-definition.js'
import { RegistryConflictError } from './errors.js'
import type { AdoptedOptions } from './interfaces/model-registry.js'

/** What a registry has done with its settings, before a server gives it others. */
export interface SettledRegistry {
  readonly settings: Readonly<Record<string, unknown>>
  readonly baseDir: string
  /** Whether the folder was said when the registry was made. */
  readonly hasOwnBaseDir: boolean
  readonly hasDataSources: boolean
  /** Whether it has models beside those that all others extend. */
  readonly hasModels: boolean
}

/**
 * Refuses what a registry cannot take up any more: settings that it has otherwise, and those that its models and data
 * sources were made without (security.md, S-102).
 * @throws FBK_CORE_REGISTRY_CONFLICT
 */
export function refuseConflicts (kept: SettledRegistry, { settings = {}, baseDir }: AdoptedOptions): void {
  for (const [name, value] of Object.entries(settings)) {
    const isNew = kept.settings[name] === undefined
    const isOther = isNew
      ? name === 'modelDefinitions' && kept.hasModels && strictnessOf(value) !== strictnessOf(undefined)
      : !isDeepStrictEqual(kept.settings[name], value)
    if (!isOther) continue
    throw new RegistryConflictError(`settings.${name}`, name === 'modelDefinitions'
      ? 'its models were checked by another one'
      : 'it says something else of it')
  }
  if (baseDir === undefined || path.resolve(baseDir) === path.resolve(kept.baseDir)) return
  if (kept.hasOwnBaseDir) throw new RegistryConflictError('baseDir', 'it was made with another one')
  if (kept.hasDataSources) throw new RegistryConflictError('baseDir', 'its data sources were made without it')
}
