/** Drivers of the bus (`@fastback/core/bus`) by their settings. */
import { BusSettingsError, type BusContext, type BusDriverFactory } from '@fastback/core/bus'
import { SqlConnector } from '../connector.js'
import type { ServerSettings } from '../server-settings.js'
import { readSettings } from '../settings.js'
import type { OutboxSettings } from './outbox-driver.js'
import { PostgresBus } from './postgres-driver.js'

/**
 * LISTEN and NOTIFY of PostgreSQL, on a connection of its own: `"bus": { "postgres": "db" }`. After a lost connection
 * anyone who listens is told `reset`.
 *
 * ```js
 * registry.busDrivers.set('postgres', postgresBus)
 * ```
 * @param setting the name of a data source, or `postgres://user:password@host:port/database`
 * @throws FBK_CORE_BUS_SETTINGS
 */
export const postgresBus: BusDriverFactory = (setting, context) => new PostgresBus(serverOf(setting, context), context)

function serverOf (setting: unknown, context: BusContext): ServerSettings {
  if (typeof setting !== 'string') throw new BusSettingsError('"postgres" must be a data source or a URL.')
  if (/^postgres(ql)?:\/\//.test(setting)) {
    const { baseDir, log } = context
    const given = { connector: 'postgres', url: setting }
    return readSettings(given, { dataSource: 'bus', baseDir, log: { info () {}, ...log } }).server as ServerSettings
  }
  const { dialect, settings } = connectorOf('postgres', setting, context)
  if (dialect.name === 'postgres') return settings.server as ServerSettings
  throw new BusSettingsError(`the data source "${setting}" is not in PostgreSQL; "outbox" works with it.`)
}

function connectorOf (driver: string, name: string, context: BusContext): SqlConnector {
  const connector = context.connector(name)
  if (connector instanceof SqlConnector) return connector
  throw new BusSettingsError(`"${driver}" names "${name}", which is no data source in a SQL database.`)
}

/** What the setting may have beside the data source, with the least of each. */
const least: Readonly<Record<string, number>> = { interval: 1, keep: 100 }

/**
 * A table in a SQL database, which every process looks into: `"bus": { "outbox": "db" }`. Nothing is missing after a
 * lost connection. Makes the tables `fastback_bus` and `fastback_bus_last`.
 *
 * ```js
 * registry.busDrivers.set('outbox', outboxBus)
 * ```
 * @param setting the name of a data source; or `dataSource` with `interval` (milliseconds between two looks; default:
 * 50) and `keep` (messages that are kept; default: 10,000)
 * @throws FBK_CORE_BUS_SETTINGS
 */
export const outboxBus: BusDriverFactory = (setting, context) => {
  const given: unknown = typeof setting === 'string' ? { dataSource: setting } : setting
  const { dataSource, ...settings } = (given ?? {}) as Readonly<Record<string, unknown>>
  if (typeof dataSource !== 'string') throw new BusSettingsError('"outbox" must name a data source.')
  for (const [key, value] of Object.entries(settings)) {
    const from = least[key]
    if (from === undefined) throw new BusSettingsError(`"outbox" has no setting "${key}".`)
    if (!Number.isInteger(value) || (value as number) < from) {
      throw new BusSettingsError(`"${key}" of "outbox" must be a whole number from ${from}.`)
    }
  }
  return connectorOf('outbox', dataSource, context).outbox(context.namespace, settings as OutboxSettings)
}
