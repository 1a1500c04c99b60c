/** What the rules look at: a folder that was booted with its data in memory, and its files as they are written. */
import type { MethodReview } from '@fastback/acl'
import { reviewAccess } from '@fastback/acl/review'
import type { AclDefinition, ModelClass, ModelRegistry, SharedMethod } from '@fastback/core'
import { rulesOf } from '@fastback/core/remote'
import { restRoutes } from '@fastback/rest'
import type { Application } from '../app/application.js'
import type { Configuration } from '../configuration.js'
import type { Server } from '../server.js'
import { Sources } from './sources.js'

/** A model that has routes. */
export interface PublishedModel {
  readonly Model: ModelClass
  readonly name: string
  readonly methods: readonly MethodReview[]
  /** All rows that are declared: inherited, its own, and those of model-config.json. */
  readonly rows: readonly AclDefinition[]
}

export interface Subject {
  readonly configuration: Configuration
  readonly app: Application
  readonly registry: ModelRegistry
  readonly sources: Sources
  /** Whether a boot script calls `enableAuth()`; without it rows mean nothing. */
  readonly enforced: boolean
  readonly models: readonly PublishedModel[]
}

export async function subjectOf (configuration: Configuration, { app, fastify }: Server): Promise<Subject> {
  const { registry } = fastify
  return {
    configuration,
    app,
    registry,
    sources: new Sources(configuration.folder, configuration.env),
    enforced: app.isAuthEnabled,
    models: await publishedModels(registry)
  }
}

async function publishedModels (registry: ModelRegistry): Promise<PublishedModel[]> {
  const byModel = new Map<ModelClass, Map<string, SharedMethod>>()
  for (const { method } of restRoutes(registry)) {
    const methods = byModel.get(method.model) ?? new Map<string, SharedMethod>()
    byModel.set(method.model, methods.set(method.fullName, method))
  }
  return await Promise.all([...byModel].map(async ([Model, methods]) => ({
    Model,
    name: Model.modelName,
    methods: await reviewAccess(Model, [...methods.values()]),
    rows: rulesOf(Model)
  })))
}
