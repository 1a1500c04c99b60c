/**
 * Loads an application to look at it: nothing listens, and no row of its databases is read or written unless the stores
 * are asked for. What it was loaded from, its callers do not know.
 */
import { statSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { ApplicationSource, LoadedApplication, LoadOptions, StoreOptions } from './application.js'
import { loadFolder } from './load-folder.js'
import { loadInstance } from './load-instance.js'
import { loadModule } from './load-module.js'

/** Loads the application, hands it over, and closes what was opened for it. */
export async function withApplication<T> (
  source: ApplicationSource,
  { stores, ...options }: LoadOptions & StoreOptions,
  use: (application: LoadedApplication) => T | Promise<T>
): Promise<T> {
  return await withSource(source, options, async given => {
    const application = typeof given === 'string'
      ? await loadFolder(given, { ...options, stores })
      : await loadInstance(given, { stores })
    try {
      return await use(application)
    } finally {
      await application.close()
    }
  })
}

/**
 * Hands over the folder, or the application of a module, or the application itself. That of a module is closed
 * afterwards.
 */
export async function withSource<T> (
  source: ApplicationSource,
  { env }: LoadOptions,
  use: (source: ApplicationSource) => T | Promise<T>
): Promise<T> {
  if (typeof source !== 'string' || !isFile(source)) return await use(source)
  return await inEnvironment(env, async () => {
    const application: FastifyInstance = await loadModule(path.resolve(source))
    try {
      return await use(application)
    } finally {
      await application.close()
    }
  })
}

/** Where a file goes that stands beside an application: in its folder, beside its module, where one stands. */
export function folderOf (source: ApplicationSource): string {
  if (typeof source !== 'string') return process.cwd()
  return isFile(source) ? path.dirname(path.resolve(source)) : path.resolve(source)
}

const isFile = (source: string): boolean => statSync(source, { throwIfNoEntry: false })?.isFile() === true

/** Modules read the environment themselves. */
async function inEnvironment<T> (env: string | undefined, run: () => Promise<T>): Promise<T> {
  if (env === undefined) return await run()
  const { NODE_ENV: before } = process.env
  process.env.NODE_ENV = env
  try {
    return await run()
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}
