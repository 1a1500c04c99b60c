/**
 * Puts the entries of middleware.json in their places: on Fastify's plugins, as native steps, or as Express middleware.
 */
import { createRequire } from 'node:module'
import { markPrivate } from '@fastback/auth/service'
import type { MaybePromise } from '@fastback/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Application } from '../app/application.js'
import { onlyFor } from '../app/express-handler.js'
import { handOverStep } from '../app/native-handler.js'
import { removedProperties } from '../app/loopback.js'
import { statusBody, urlNotFound } from '../app/loopback-middleware.js'
import type { LoopbackHost } from '../app/loopback-host.js'
import { MiddlewareError, named, RemovedPropertyError } from '../errors.js'
import type { BootExtension } from '@fastback/core'
import { withoutEndSlashes } from '@fastback/core/remote'
import type { Folder } from '../load/folder.js'
import type { Steps } from '../steps.js'
import type { MiddlewareConfig } from '../load/middleware-config.js'
import { loadFile, loadModule, resolveModule } from '../load/module.js'
import type { Chain, NativeStep } from './chain.js'
import { helmetPlugin } from './native/helmet.js'
import { optionsOf, type PluginUse } from './native/options.js'
import { pluginMiddleware } from './native/plugins.js'
import { faviconStep, provideFiles, staticStep } from './native/static.js'
import { isLiteral, matchPaths } from './paths.js'
import { asMiddleware, isFastifyPlugin } from './scoped.js'
import type { AnyPlugin } from './any-plugin.js'

export interface InstallContext extends LoopbackHost {
  readonly app: Application
  readonly chain: Chain
  /** Registers plugins, again where the application is opened again. */
  register (plugins: (fastify: FastifyInstance) => void): void
  readonly folder: Folder
  readonly extensions: readonly BootExtension[]
  warn (message: string): void
  /** Says that a Fastify plugin of the folder's own may add routes. */
  foreignRoutes (): void
}

type Factory = (...params: unknown[]) => unknown

/** Names that have another one here. */
const aliases: Readonly<Record<string, string>> = {
  'serve-static': 'loopback#static',
  'express#static': 'loopback#static',
  'serve-favicon': 'loopback#favicon',
  'loopback#url-not-found': 'loopback#urlNotFound',
  'loopback#errors': 'strong-error-handler'
}

/**
 * The name that an entry of middleware.json goes by here: what is Fastback's own has one of its own, `fastback#rest`,
 * beside LoopBack's, `loopback#rest`.
 *
 * ```js
 * middlewareName('fastback#errors') // 'strong-error-handler'
 * ```
 */
export function middlewareName (written: string): string {
  const name = written.replace(/^(?:fastback|@fastback\/boot)#/, 'loopback#')
  return aliases[name] ?? name
}

/**
 * Installs one entry.
 * @throws FBK_BOOT_MIDDLEWARE, FBK_BOOT_MODULE_NOT_FOUND, FBK_BOOT_UNKNOWN_PHASE, FBK_BOOT_REMOVED_PROPERTY
 */
export function * installMiddleware (context: InstallContext, config: MiddlewareConfig): Steps<void> {
  context.chain.phases.position(config.phase)
  const written = middlewareName(config.written)
  const mapping = config.module === 'helmet' ? helmetPlugin : pluginMiddleware[written]
  if (mapping !== undefined) {
    usePlugin(context, config, () => mapping(config, message => { context.warn(message) }))
    return
  }
  const provided = context.extensions.find(
    ({ middleware }) => middleware !== undefined && Object.hasOwn(middleware, written)
  )?.middleware?.[written]
  if (provided !== undefined) { provided(context.app, config); return }
  if (written === 'strong-error-handler') { context.chain.addNative(config.phase, errorStep(context, config)); return }
  if (written.startsWith('loopback#')) { useOwn(context, written.slice('loopback#'.length), config); return }
  yield * useForeign(context, config)
}

/** Has Fastify load a plugin when its turn comes; its place in the order is kept now. */
function usePlugin (
  { chain, register }: InstallContext,
  { written, phase, paths, methods }: MiddlewareConfig,
  load: () => MaybePromise<PluginUse>
): void {
  const order = chain.placeForHooks(phase)
  register(fastify => { fastify.register(asMiddleware({ name: written, load, paths, methods, order })) })
}

/** Middleware of the framework itself. */
function useOwn (context: InstallContext, name: string, config: MiddlewareConfig): void {
  const { chain } = context
  const { written, phase, paths, methods } = config
  const step = { name: written, matches: matchPaths(paths), methods, literalPaths: literal(paths) }
  switch (name) {
    case 'rest': {
      context.restMounted(paths)
      chain.addNative(phase, { ...handOverStep('rest', paths), methods })
      return
    }
    case 'status': {
      chain.addNative(phase, { ...step, handle: statusHandler(new Date()) })
      return
    }
    case 'urlNotFound': {
      chain.addNative(phase, { ...step, handle (request) { throw urlNotFound(request.raw) } })
      return
    }
    case 'token': {
      context.tokenUsed(optionsOf(config.params[0], config.where))
      chain.addNative(phase, {
        ...step,
        forExpress: true,
        handle: (request, reply) => showToken(request, reply, context.accessToken(request, reply))
      })
      return
    }
    case 'static':
    case 'favicon': {
      context.register(provideFiles)
      chain.addNative(phase, name === 'static' ? staticStep(config) : faviconStep(config))
      return
    }
  }
  const replacement = removedProperties[name]
  if (replacement !== undefined) throw named(config.where, new RemovedPropertyError(name, replacement))
  throw new MiddlewareError(
    config.where,
    'there is no such middleware; there are rest, status, static, favicon, token, urlNotFound and errors'
  )
}

function statusHandler (started: Date): NonNullable<NativeStep['handle']> {
  return (_request, reply) => {
    reply.send(statusBody(started))
    return 'done'
  }
}

/** Express code finds the token on the request. */
async function showToken (
  request: FastifyRequest, reply: FastifyReply, token: MaybePromise<unknown>
): Promise<'next'> {
  const found = await token
  if (found === undefined || found === null) return 'next'
  Object.assign(request.raw, { accessToken: found })
  markPrivate(reply)
  return 'next'
}

/** Literal paths and everything below them, as routes; undefined when some path is a pattern, or there is none. */
function literal (paths: ReadonlyArray<string | RegExp>): string[] | undefined {
  if (paths.length === 0 || !paths.every(isLiteral) || paths.includes('/')) return undefined
  return (paths as string[]).map(withoutEndSlashes).flatMap(path => [path, `${path}/*`])
}

function errorStep (context: InstallContext, { written, params, paths, methods, where }: MiddlewareConfig): NativeStep {
  const options = optionsOf(params[0], where)
  return {
    name: written,
    matches: matchPaths(paths),
    methods,
    fail: (error, request, reply) => { context.answerError(error, request, reply, options) }
  }
}

/** A file of the folder, or a package of its node_modules: a Fastify plugin, or a factory of Express middleware. */
function * useForeign (context: InstallContext, config: MiddlewareConfig): Steps<void> {
  const factory = yield * loadFactory(context.folder, config)
  if (factory === undefined) return
  if (isFastifyPlugin(factory)) {
    context.foreignRoutes()
    const use = { plugin: factory as AnyPlugin, options: optionsOf(config.params[0], config.where) }
    usePlugin(context, config, () => use)
    return
  }
  const handler = factory(...config.params)
  if (typeof handler !== 'function') {
    throw new MiddlewareError(config.where, 'its factory returned no function (req, res, next)')
  }
  const limited = config.methods.length === 0 ? handler : onlyFor(config.methods, handler as Factory)
  context.app.middleware(config.phase, config.paths, limited)
}

/** The factory that a name stands for; undefined for an optional one that is not there. */
function * loadFactory (folder: Folder, config: MiddlewareConfig): Steps<Factory | undefined> {
  const { module, fragment, optional, where } = config
  if (resolveModule(folder, module) === undefined) {
    const bundled = module === 'body-parser' ? bodyParser(fragment) : undefined
    if (bundled !== undefined || optional) return bundled
  }
  const { exports } = yield * loadModule(folder, module, where)
  if (fragment === undefined) {
    if (typeof exports !== 'function') throw new MiddlewareError(where, 'it exports no function')
    return exports as Factory
  }
  const holder = exports as Record<string, unknown>
  if (typeof holder[fragment] === 'function') return (holder[fragment] as Factory).bind(holder) as Factory
  for (const place of ['server/middleware', 'middleware']) {
    const file = resolveModule(folder, `${module}/${place}/${fragment}`)
    const found = file === undefined ? undefined : yield * loadFile(folder, file)
    if (typeof found === 'function') return found as Factory
  }
  throw new MiddlewareError(where, `"${module}" has no middleware "${fragment}"`)
}

/** `body-parser` comes with Express; a folder need not install it. */
function bodyParser (fragment: string | undefined): Factory | undefined {
  const express = createRequire(import.meta.url)('express') as unknown as Record<string, Factory>
  return fragment === undefined ? undefined : express[fragment]
}
