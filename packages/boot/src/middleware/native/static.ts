/** Files: `loopback#static`, `serve-static`, `loopback#favicon`, `serve-favicon`, on @fastify/static. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fp from 'fastify-plugin'
import { canonicalPath, foldPath, withoutEndSlashes } from '@fastback/core/remote'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { MiddlewareError } from '../../errors.js'
import type { MiddlewareConfig } from '../../load/middleware-config.js'
import type { NativeStep, Outcome } from '../chain.js'
import { isLiteral, matchPaths, namesNoFile, partTaken, pathnameOf } from '../paths.js'
import { optionsOf } from './options.js'

const passedOn = [
  'acceptRanges',
  'cacheControl',
  'dotfiles',
  'etag',
  'extensions',
  'immutable',
  'index',
  'lastModified',
  'maxAge'
]

/** The icon that is served when a folder names none. */
export const defaultIcon = fileURLToPath(new URL('../../../assets/favicon.ico', import.meta.url))

/**
 * Makes `reply.sendFile` available, once. Steps choose the files: no route is taken, so that what is not there goes on
 * to the next step.
 */
export function provideFiles (fastify: FastifyInstance): void {
  fastify.register(fp(async (context: FastifyInstance) => {
    if (context.hasReplyDecorator('sendFile')) return
    const { default: plugin } = await import('@fastify/static')
    await context.register(plugin, { serve: false, redirect: true, setHeaders: spellType } as Parameters<
      typeof plugin
    >[1])
  }, { fastify: '5.x', name: 'files' }))
}

/** The content type as Express' file servers spell it. */
function spellType (reply: Pick<FastifyReply, 'getHeader' | 'header'>): void {
  const type = reply.getHeader('content-type')
  if (typeof type !== 'string') return
  reply.header(
    'content-type',
    type.replace('charset=utf-8', 'charset=UTF-8').replace('image/vnd.microsoft.icon', 'image/x-icon')
  )
}

/**
 * Serves the files below a folder; what is not a file there goes on.
 * @throws FBK_BOOT_MIDDLEWARE when no folder is named
 */
export function staticStep ({ written: name, params, paths, methods, where }: MiddlewareConfig): NativeStep {
  const [root, written] = params
  if (typeof root !== 'string') throw new MiddlewareError(where, '"params" must name a folder, such as "$!../client"')
  const options = optionsOf(written, where)
  const prefixes = paths
    .filter(isLiteral)
    .map(each => withoutEndSlashes(foldPath(canonicalPath(each))))
    .sort((a, b) => b.length - a.length)
  const takenFrom = partTaken(paths)
  const given = Object.fromEntries(passedOn.filter(key => options[key] !== undefined).map(key => [key, options[key]]))
  const fileOptions = { dotfiles: 'ignore', ...given }
  return {
    name,
    matches: matchPaths(paths),
    methods: methods.length > 0 ? methods.filter(method => method === 'GET' || method === 'HEAD') : ['GET', 'HEAD'],
    handle (request, reply) {
      const pathname = pathnameOf(request.raw.url as string)
      if (namesNoFile(pathname)) return 'next'
      const folded = foldPath(pathname)
      const prefix = prefixes.find(each => folded.startsWith(each)) ?? takenFrom(pathname)
      if (prefix === undefined) return 'next'
      const rest = pathname.slice(prefix.length)
      const file = rest === '' && pathname.endsWith('/') ? '/' : decoded(rest)
      if (file === undefined) return 'next'
      if (file === '') {
        // One page for every path of a client-side router: `"paths": ["*"], "params": "$!../client/index.html"`.
        if (statSync(root, { throwIfNoEntry: false })?.isFile() === true) {
          return send(reply, `/${path.basename(root)}`, path.dirname(root), fileOptions)
        }
        if (options.redirect === false) return 'next'
        reply.redirect(`${pathname}/`, 301)
        return 'done'
      }
      return send(reply, file, root, fileOptions)
    }
  }
}

/** Answers /favicon.ico. Params: the icon's file, options (`maxAge` in milliseconds; default a year). */
export function faviconStep ({ written, params, where }: MiddlewareConfig): NativeStep {
  const [icon = defaultIcon, given] = params
  if (typeof icon !== 'string') throw new MiddlewareError(where, '"params" must name the icon\'s file')
  const { maxAge = 365 * 24 * 60 * 60 * 1000 } = optionsOf(given, where)
  const { dir, base } = path.parse(path.resolve(icon))
  return {
    name: written,
    matches: pathname => foldPath(pathname) === '/favicon.ico',
    literalPaths: ['/favicon.ico'],
    methods: ['GET', 'HEAD'],
    handle: (_request, reply) => send(reply, `/${base}`, dir, { maxAge })
  }
}

/**
 * Sends a file. Resolves when there is none, so that the next step has its turn; @fastify/static tells that through
 * `callNotFound`.
 */
function send (reply: FastifyReply, file: string, root: string, options: object): Promise<Outcome> {
  return new Promise(resolve => {
    Object.defineProperty(reply, 'callNotFound', {
      configurable: true,
      value: () => {
        delete (reply as { callNotFound?: unknown }).callNotFound
        resolve('next')
        return reply
      }
    })
    reply.sendFile(file, root, options)
  })
}

/** Undefined for what Express code has made of the address, where that cannot be decoded. */
function decoded (path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
