/**
 * `@fastback/core/bus`: what processes of one application tell each other. `registry.bus` publishes and subscribes; a
 * driver implements `BusDriver`, and gets its name by `registry.busDrivers.set(name, factory)`.
 */
export {
  mostBytes,
  mostCharacters,
  type Bus,
  type BusContext,
  type BusDriver,
  type BusDriverFactory,
  type BusLink,
  type BusListener,
  type BusLog,
  type BusOffer
} from '../bus/bus.js'
export { busSettingOf, type BusSetting } from '../bus/bus-setting.js'
export { clusterBus, ClusterHub, type BusChannel } from '../bus/cluster-driver.js'
export { MemoryHub, memoryBus } from '../bus/memory-driver.js'
export { BusPayloadError, BusSettingsError } from '../errors.js'
