/** Drivers of the bus by the names that config.json uses. Their packages are loaded when the setting names them. */
import type { BusDriverFactory, ModelRegistry } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { loadPackage } from './load/package.js'
import type * as Redis from '@fastback/connector-redis'
import type * as Sql from '@fastback/connector-sql'

const from = <T>(name: string, pick: (exports: T) => BusDriverFactory): BusDriverFactory =>
  (setting, context) => chain(loadPackage<T>(name), exports => pick(exports)(setting, context))

/**
 * Gives a registry the drivers `postgres`, `outbox` and `redis`.
 *
 * ```js
 * registerBusDrivers(registry)
 * registry.settings = { bus: { redis: 'redis://localhost:6379' } }
 * ```
 */
export function registerBusDrivers ({ busDrivers }: ModelRegistry): void {
  busDrivers.set('postgres', from<typeof Sql>('@fastback/connector-sql', ({ postgresBus }) => postgresBus))
  busDrivers.set('outbox', from<typeof Sql>('@fastback/connector-sql', ({ outboxBus }) => outboxBus))
  busDrivers.set('redis', from<typeof Redis>('@fastback/connector-redis', ({ redisBus }) => redisBus))
}
