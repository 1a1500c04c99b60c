/** The setting `bus`, as JSON has it. */
import { BusSettingsError } from '../errors.js'

export interface BusSetting {
  /** One driver, by its name. */
  readonly named: { readonly driver: string, readonly setting: unknown } | undefined
  /** The first data source that can carry it: one that stores nothing for that, or any. */
  readonly automatic: 'nothing stored' | 'anything' | undefined
  readonly namespace: string
}

const inProcess: BusSetting = { named: undefined, automatic: undefined, namespace: 'fastback' }

/**
 * Reads `false` (in-process, the default), `"auto"` (the first data source that can carry it and stores nothing for
 * that: PostgreSQL), `true` (the first that can carry it, with tables of its own where it needs them), or `{ "redis": "redis://localhost", "namespace": "shop" }`: a driver's name with its setting.
 *
 * ```js
 * busSettingOf({ redis: 'redis://localhost' }).named?.driver // 'redis'
 * ```
 * @throws FBK_CORE_BUS_SETTINGS
 */
export function busSettingOf (given: unknown): BusSetting {
  if (given === undefined || given === null || given === false) return inProcess
  if (given === true) return { ...inProcess, automatic: 'anything' }
  if (given === 'auto') return { ...inProcess, automatic: 'nothing stored' }
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new BusSettingsError('it must be true, false, "auto" or an object.')
  }
  const { namespace = 'fastback', ...rest } = given as Readonly<Record<string, unknown>>
  if (typeof namespace !== 'string' || namespace === '' || namespace.length > 200) {
    throw new BusSettingsError('"namespace" must be a text of 1 to 200 characters.')
  }
  const [first, ...others] = Object.entries(rest)
  if (others.length > 0) throw new BusSettingsError(`it names several drivers: ${Object.keys(rest).join(', ')}.`)
  return first === undefined
    ? { ...inProcess, namespace, automatic: 'anything' }
    : { namespace, automatic: undefined, named: { driver: first[0], setting: first[1] } }
}
