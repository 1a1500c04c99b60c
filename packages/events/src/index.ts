export type { EngineJob, FailedJob, JobEngine, JobHandler, QueueCounts, QueueSettings, SendOptions } from './engines/engine.js'
