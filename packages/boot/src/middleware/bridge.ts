/**
 * The chain on Fastify's side: which requests it sees before Fastify's routes, what happens to those that no route
 * answers, and to those that fail.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { giveBackBody } from '@fastback/rest/express'
import { Exchange, type ExchangeHost } from './exchange.js'
import { matchPaths, pathnameOf } from './paths.js'

export interface BridgeOptions {
  readonly host: ExchangeHost
  /**
   * Paths whose requests belong to Fastify plugins of the folder (REST, explorer): no Fastify route may stand for
   * Express layers below them.
   */
  readonly mounts: readonly string[]
  /** Whether other routes than those of `mounts` may exist, so that every request must be looked at. */
  readonly foreignRoutes: boolean
}

/**
 * Lets the chain see requests before Fastify's routes do. Where only a few literal paths concern it (`app.get('/about',
 * …)`), these become routes and all other requests pay nothing; otherwise a hook looks at each request. Must run before
 * the routes are registered.
 * @returns whether there is a hook
 */
export function installChain (fastify: FastifyInstance, { host, mounts, foreignRoutes }: BridgeOptions): boolean {
  const { chain } = host
  const enter = enterChain(host)
  const literal = chain.literalPaths
  if (
    literal !== undefined &&
    !foreignRoutes &&
    literal.every(url => isFree(url, mounts) && !fastify.hasRoute({ method: 'GET', url }))
  ) {
    if (literal.length > 0) fastify.register(literalRoutes, { paths: literal, enter })
    return false
  }
  fastify.addHook('onRequest', enter)
  if (chain.hasExpress) {
    fastify.addHook('preParsing', giveBackBody)
    fastify.addHook('onSend', joinHeaders)
  }
  return true
}

/** Whether a route for a path (or, `/health/*`, for all below it) and the mounts are out of each other's way. */
function isFree (url: string, mounts: readonly string[]): boolean {
  if (mounts.length === 0) return true
  if (matchPaths(mounts)?.(url) !== false) return false
  const above = url.endsWith('/*') ? matchPaths([url.slice(0, -2)]) : undefined
  return !url.endsWith('/*') || mounts.every(mount => above?.(mount) === false)
}

type Enter = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

async function literalRoutes (
  fastify: FastifyInstance,
  { paths, enter }: { paths: readonly string[]; enter: Enter }
): Promise<void> {
  readNoBody(fastify)
  for (const url of paths) {
    fastify.all(url, { onRequest: enter }, (_request, reply) => {
      reply.callNotFound()
    })
  }
}

function enterChain (host: ExchangeHost): Enter {
  const { chain } = host
  return (request, reply, done) => {
    const { raw } = request
    const before = Exchange.of(request)
    if (before !== undefined) { before.adopt(request, reply); done(); return }
    const path = pathnameOf(raw.url as string)
    const express = chain.reaches(path)
    if (!express && !chain.concernsEarly(path)) { done(); return }
    new Exchange(host, request, reply, { from: 0, express, toFastify: done }).advance()
  }
}

/**
 * Bodies of a scope stay unread: a broken one does not hide that the address is unknown, and Express code can still
 * read it.
 */
function readNoBody (fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', (_request, _payload, done) => { done(null) })
}

/**
 * The exchange of a request, or a new one for a request that the chain has not seen, which begins at the step that
 * `from` tells.
 */
function exchangeOf (
  host: ExchangeHost,
  request: FastifyRequest,
  reply: FastifyReply,
  from: (path: string) => number
): Exchange {
  const found = Exchange.of(request)
  if (found !== undefined) {
    found.adopt(request, reply)
    return found
  }
  const path = pathnameOf(request.raw.url as string)
  return new Exchange(host, request, reply, { from: from(path), express: host.chain.reaches(path) })
}

/** Answers what no route answered, by the steps after the routes, in a context of its own, where no body is read. */
export async function notFoundScope (fastify: FastifyInstance, { host }: { host: ExchangeHost }): Promise<void> {
  readNoBody(fastify)
  fastify.setNotFoundHandler((request, reply) => {
    exchangeOf(host, request, reply, () => 0).resume()
  })
}

/** Hands errors of Fastify's side to the steps that come after the routes. */
export function errorHandler (host: ExchangeHost) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    exchangeOf(host, request, reply, path => host.chain.afterRoutes(path)).resume(error)
  }
}

/**
 * Headers that may stand on both sides, Express' and Fastify's: cookies and `Vary` are joined, where Fastify's would
 * replace Express'.
 */
function joinHeaders (_request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done<unknown>): void {
  for (const name of ['set-cookie', 'vary']) {
    const ours = reply.getHeader(name)
    const theirs = reply.raw.getHeader(name)
    if (ours === undefined || theirs === undefined || ours === theirs) continue
    const all = [...new Set([theirs, ours].flat().map(String))]
    reply.raw.removeHeader(name)
    reply.removeHeader(name).header(name, name === 'vary' ? all.join(', ') : all)
  }
  done(null, payload)
}

type Done<T> = (error: null, payload: T) => void
