/** Puts REST and the explorer on the Fastify instance. */
import type { FastifyInstance } from 'fastify'
import rest, { type RemotingSettings } from '@fastback/rest'
import type { Application } from './app/application.js'
import type { ExplorerOptions } from './components.js'

/** Registers the REST routes of the application's published models below a path. */
export async function mountRest (fastify: FastifyInstance, prefix: string, app: Application, remoting: RemotingSettings): Promise<void> {
  await fastify.register(rest, { prefix, application: app, remoting })
}

/** Registers the explorer at its path. */
export async function mountExplorer (fastify: FastifyInstance, { mountPath, ...options }: ExplorerOptions, restApiRoot: string): Promise<void> {
  const module: { default?: unknown } = await import('@fastback/explorer')
  if (typeof module.default !== 'function') return
  await fastify.register(module.default as Parameters<FastifyInstance['register']>[0], { ...options, prefix: mountPath, restApiRoot } as object)
}
