/** Options of the plugin. */
import type { BusDriverFactory } from './bus/bus.js'
import type { ConnectorFactory, DataSourceSettings } from './data-source/connector.js'
import type { ModelDefinitionInput } from './definition/definition.js'
import type { Mixin } from './mixins.js'
import type { ModelRegistry } from './registry.js'
import type { ModelEntryTarget } from './waiting-models.js'

export interface CoreOptions {
  /**
   * A registry made before; without it one is made of the other options. What they say is added to it: settings, the
   * server's log where it has none, `baseDir`, definitions and the rest. What contradicts it stops the start.
   */
  registry?: ModelRegistry
  /**
   * Connector factories by the names that data sources use. A data source may also bring its factory as `connector`.
   */
  connectors?: Record<string, ConnectorFactory>
  dataSources?: Record<string, DataSourceSettings>
  /**
   * Definitions, in any order: base models may come after those that extend them. Those that extend a model of another
   * package (`User`, `Role`, …) are defined when its plugin is registered, after this one. The compiler checks names
   * and words of those that are written here, and of those that `defineModel` makes; texts that are no literals, as a
   * file in JSON has them, are checked at the start.
   */
  definitions?: readonly ModelDefinitionInput[]
  /**
   * Where each model lives, and whether it is published (default true for models with a data source): those of
   * `definitions`, and models of packages that are registered after this one (`Role`, `AccessToken`, …).
   */
  models?: Record<string, ModelEntryTarget>
  mixins?: Record<string, Mixin>
  /**
   * What tells other processes of the application: false (default), "auto" (a data source in PostgreSQL), true (the
   * first data source in a SQL database), or a driver with its setting: `{ redis: 'redis://localhost', namespace:
   * 'shop' }`. The same as `settings.bus`.
   */
  bus?: unknown
  /** Drivers of the bus by the names that `bus` uses. */
  busDrivers?: Record<string, BusDriverFactory>
  /** Application-wide settings (`registry.settings`). */
  settings?: Record<string, unknown>
  /** Folder that file names in data source settings are relative to. Default: the working directory. */
  baseDir?: string
}
