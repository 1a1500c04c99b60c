/** What a provider needs of the application that it is part of. */
import { installAuthModels } from '@fastback/auth'
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { installModels } from '@fastback/core/remote'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { oauth2Models } from './models/index.js'

export interface Host {
  readonly fastify: FastifyInstance
  readonly registry: ModelRegistry
  /** Defines built-in models that are not defined yet. */
  model(name: string): ModelClass | undefined
  /** Attaches a model to a data source, unpublished. */
  attach(Model: ModelClass, dataSource: unknown): void
  /** Fills in a view of the application. */
  render(
    request: FastifyRequest,
    reply: FastifyReply,
    view: string,
    values: Readonly<Record<string, unknown>>
  ): Promise<string>
}

type WithViews = FastifyReply & { viewAsync (view: string, values: object): Promise<string> }

/** A Fastify application with `@fastback/core`. Views are those of `@fastify/view`. */
export function fastifyHost (fastify: FastifyInstance): Host {
  const { registry } = fastify
  installAuthModels(registry)
  installModels(registry, oauth2Models)
  return {
    fastify,
    registry,
    model: name => registry.findModel(name),
    attach: (Model, dataSource) => { registry.attach(Model, dataSource as string, { public: false }) },
    render: async (_request, reply, view, values) => await (reply as WithViews).viewAsync(view, values)
  }
}
