/** Which engine an application has. */
import type { DataSource } from '@fastback/core'
import { EngineSettingError } from '../errors.js'
import { EmbeddedStore } from './embedded/job-store.js'
import type { JobEngine } from './engine.js'
import type { EngineOptions } from './engine-options.js'
import { IdleEngine } from './idle-engine.js'
import { installedPackage, mustBeInstalled } from './load-package.js'
import { isPostgres } from './pg-boss/database.js'
import { StoredEngine } from './stored-engine.js'

/**
 * Before the registry starts. The code of an engine, and its package, are loaded where it is chosen.
 * @throws FBK_EVENTS_MISSING_PACKAGE, FBK_EVENTS_ENGINE_SETTING
 */
export async function createEngine (options: EngineOptions): Promise<JobEngine> {
  const { dataSource, settings: { engine, redis } } = options
  if (engine === 'pg-boss' && isScratch(dataSource)) return new IdleEngine(engine)
  if (engine === 'embedded') return embedded(options)
  if (engine === 'bullmq' || (engine === undefined && redis !== undefined)) return await bullMq(options)
  if (engine === 'pg-boss') return await pgBoss(options) as JobEngine
  return await pgBoss(options) ?? embedded(options)
}

/** Whether a tool looks at the application, with stores in memory in place of its own (`scratchStores` of boot). */
const isScratch = ({ settings }: Pick<DataSource, 'settings'>): boolean => settings.scratch === true

const embedded = (options: EngineOptions): JobEngine => new StoredEngine(new EmbeddedStore(options), options)

/** Undefined where it was not asked for and cannot be. */
async function pgBoss (options: EngineOptions): Promise<JobEngine | undefined> {
  const { dataSource, registry: { baseDir }, settings: { engine } } = options
  if (!isPostgres(dataSource)) {
    if (engine === undefined) return undefined
    throw new EngineSettingError('pg-boss', `needs a data source of PostgreSQL, and "${dataSource.name}" is none.`)
  }
  const found = await installedPackage('pg-boss', baseDir, async () => await import('pg-boss'))
  if (found === undefined && engine === undefined) return undefined
  const { default: Boss } = mustBeInstalled(found, 'pg-boss', 'pg-boss')
  const { BossStore } = await import('./pg-boss/job-store.js')
  return new StoredEngine(new BossStore(Boss, options), options)
}

async function bullMq (options: EngineOptions): Promise<JobEngine> {
  const { registry: { baseDir }, settings: { redis } } = options
  if (redis === undefined) throw new EngineSettingError('bullmq', 'needs the option "redis": the URL of a server.')
  const bullmq = mustBeInstalled(
    await installedPackage('bullmq', baseDir, async () => await import('bullmq')), 'bullmq', 'bullmq')
  const { Redis } = mustBeInstalled(
    await installedPackage('ioredis', baseDir, async () => await import('ioredis')), 'bullmq', 'ioredis')
  const { BullEngine } = await import('./bullmq/engine.js')
  return new BullEngine({ bullmq, Redis }, redis, options)
}
