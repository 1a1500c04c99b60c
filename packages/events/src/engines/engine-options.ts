import type { DataSource, ModelRegistry } from '@fastback/core'
import type { EventsLog } from '../events-context.js'
import type { Settings } from '../options.js'

export interface EngineOptions {
  readonly registry: ModelRegistry
  readonly dataSource: DataSource
  readonly settings: Settings
  readonly log: EventsLog
}
