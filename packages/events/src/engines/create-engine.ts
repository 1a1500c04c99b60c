/** Which engine an application has. */
import type { DataSource, ModelRegistry } from '@fastback/core'
import type { EventsLog } from '../events-context.js'
import type { Settings } from '../options.js'
import { EmbeddedEngine } from './embedded.js'
import type { JobEngine } from './engine.js'

export interface EngineOptions {
  readonly registry: ModelRegistry
  readonly dataSource: DataSource
  readonly settings: Settings
  readonly log: EventsLog
}

/** Before the registry starts. The code of an engine is loaded where it is chosen. */
export async function createEngine (options: EngineOptions): Promise<JobEngine> {
  return new EmbeddedEngine(options)
}
