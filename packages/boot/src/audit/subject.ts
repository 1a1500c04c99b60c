/** What the rules look at: an application whose models are there, and what was written of it. */
import type { MethodReview } from '@fastback/acl'
import { reviewAccess } from '@fastback/acl/review'
import type { AclDefinition, ModelClass, ModelRegistry, SharedMethod } from '@fastback/core'
import { rulesOf } from '@fastback/core/remote'
import { restRoutes } from '@fastback/rest'
import type { FastifyInstance } from 'fastify'
import type { Application } from '../app/application.js'
import type { Configuration } from '../configuration.js'
import type { Server } from '../server.js'
import { CodeSources } from './code-sources.js'
import { FolderSources, type Sources } from './sources.js'

/** A model that has routes. */
export interface PublishedModel {
  readonly Model: ModelClass
  readonly name: string
  readonly methods: readonly MethodReview[]
  /** All rows that are declared: inherited, its own, and those of model-config.json. */
  readonly rows: readonly AclDefinition[]
}

export interface Subject {
  readonly settings: Readonly<Record<string, unknown>>
  readonly registry: ModelRegistry
  readonly sources: Sources
  /** Whether access control is on; without it rows mean nothing. */
  readonly enforced: boolean
  readonly models: readonly PublishedModel[]
}

/** A folder that was booted with its data in memory, and its files as they are written. */
export interface FolderSubject extends Subject {
  readonly configuration: Configuration
  readonly app: Application
  readonly sources: FolderSources
}

export async function folderSubject (configuration: Configuration, { app, fastify }: Server): Promise<FolderSubject> {
  const { registry } = fastify
  return {
    configuration,
    settings: configuration.settings,
    app,
    registry,
    sources: new FolderSources(configuration.folder, configuration.env),
    enforced: app.isAuthEnabled,
    models: await publishedModels(registry)
  }
}

/** An application that code made. */
export async function codeSubject (fastify: FastifyInstance): Promise<Subject> {
  const { registry } = fastify
  return {
    settings: registry.settings,
    registry,
    sources: new CodeSources(),
    // `@fastback/acl` decorates requests with it.
    enforced: fastify.hasRequestDecorator('authorizedRoles'),
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
