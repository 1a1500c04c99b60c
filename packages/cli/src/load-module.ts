/** Finds the application that a module exports. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { ModuleError, NoApplicationError, TypeScriptError } from './errors.js'

/** Names of exports, in the order in which they are asked. */
const exportNames = ['default', 'app', 'build', 'createApp'] as const

/**
 * Imports the module, and calls what it exports where that is a function. The application does not listen, and does not
 * become ready: a call of `listen` or `ready` in the module waits for the plugins alone.
 * @param file absolute
 * @throws FBK_CLI_TYPESCRIPT, FBK_CLI_MODULE, FBK_CLI_NO_APPLICATION; the coded errors of what the application is
 * made of
 */
export async function loadModule (file: string): Promise<FastifyInstance> {
  const release = holdBack()
  try {
    const exported = exportOf(await import(pathToFileURL(file).href), file)
    const made: unknown = await (typeof exported === 'function' ? (exported as () => unknown)() : exported)
    if (!isApplication(made)) throw new NoApplicationError(file, 'what it exports gives no Fastify instance')
    return made
  } catch (error) {
    throw failure(file, error)
  } finally {
    release()
  }
}

/** A CommonJS module has its exports below `default`. */
function exportOf (module: Readonly<Record<string, unknown>>, file: string): unknown {
  const { default: inner } = module
  for (const exports of [module, inner] as ReadonlyArray<Readonly<Record<string, unknown>> | null | undefined>) {
    for (const name of exportNames) {
      const value = exports?.[name]
      if (typeof value === 'function' || value instanceof Promise || isApplication(value)) return value
    }
  }
  throw new NoApplicationError(file, 'it exports none')
}

const isApplication = (value: unknown): value is FastifyInstance =>
  typeof value === 'object' && value !== null &&
  ['inject', 'register', 'after', 'hasDecorator'].every(
    name => typeof (value as Record<string, unknown>)[name] === 'function'
  )

/**
 * Fastify tells of each instance when it is made, whichever copy of Fastify makes it. Ready applications have opened
 * their databases and brought the tables up to date, which a tool that only looks must not.
 */
function holdBack (): () => void {
  const hold = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    const loaded = async (): Promise<FastifyInstance> => {
      await fastify.after()
      return fastify
    }
    const ready = (done?: (error: Error | null, fastify?: FastifyInstance) => void): unknown => {
      if (done === undefined) return loaded()
      loaded().then(() => { done(null, fastify) }, done)
    }
    const listen = async (): Promise<string> => {
      await loaded()
      return ''
    }
    Object.assign(fastify, { ready, listen })
  }
  subscribe('fastify.initialization', hold)
  return () => { unsubscribe('fastify.initialization', hold) }
}

function failure (file: string, error: unknown): unknown {
  const { code, message = String(error) } = (error ?? {}) as { code?: unknown, message?: string }
  if (String(code).startsWith('FBK_')) return error
  const isTypeScript = /\.[cm]?tsx?$/.test(file)
  if (isTypeScript && (code === 'ERR_UNKNOWN_FILE_EXTENSION' || code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')) {
    return new TypeScriptError(file, path.basename(file))
  }
  return Object.assign(new ModuleError(file, message), { cause: error })
}
