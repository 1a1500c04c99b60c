/**
 * Stands for an engine that stores its jobs outside of the application's models, where a tool looks at the application
 * with other stores: it has no jobs, and takes none.
 */
import type { EngineKind, FailedJob, JobEngine, QueueCounts, QueueSchedule } from './engine.js'

export class IdleEngine implements JobEngine {
  constructor (readonly kind: EngineKind) {}

  joinsTransactionsOf (): boolean { return false }
  async start (): Promise<void> {}
  async define (): Promise<void> {}
  async send (): Promise<undefined> { return undefined }
  async work (): Promise<void> {}
  async schedule (): Promise<void> {}
  async unschedule (): Promise<void> {}
  async scheduled (): Promise<QueueSchedule | undefined> { return undefined }
  async counts (): Promise<QueueCounts> { return { waiting: 0, delayed: 0, active: 0, completed: 0, failed: 0 } }
  async failed (): Promise<FailedJob[]> { return [] }
  async retry (): Promise<boolean> { return false }
  async discard (): Promise<boolean> { return false }
  async stop (): Promise<void> {}
}
