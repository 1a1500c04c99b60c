/** Puts REST and the explorer on the Fastify instance. */
import type { FastifyInstance } from 'fastify'
import rest, { type RemotingSettings } from '@fastback/rest'
import type { Application } from './app/application.js'
import type { ExplorerOptions } from './components.js'

/** Registers the REST routes of the application's published models below a path. */
export async function mountRest (fastify: FastifyInstance, prefix: string, app: Application, remoting: RemotingSettings): Promise<void> {
  await fastify.register(rest, { prefix, application: app, remoting })
}

/** Registers the explorer at its path, with a description of what is published below the REST root. */
export async function mountExplorer (fastify: FastifyInstance, options: ExplorerOptions, restApiRoot: string): Promise<void> {
  const { explorer } = await import('@fastback/explorer')
  await fastify.register(explorer, { ...options, ...(restApiRoot === '' ? {} : { restApiRoot }) })
}
