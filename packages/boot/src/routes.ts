/** Puts REST and the explorer on the Fastify instance. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ModelClass } from '@fastback/core'
import type { FastifyInstance } from 'fastify'
import rest, { type RemotingSettings, type RestOptions } from '@fastback/rest'
import type { Application } from './app/application.js'
import { errorOptions } from './error-options.js'
import type { ExplorerOptions } from './components.js'
import type { Folder } from './load/folder.js'

/** Registers the REST routes of the application's published models below a path. */
export async function mountRest (
  fastify: FastifyInstance,
  prefix: string,
  app: Application,
  remoting: RemotingSettings
): Promise<void> {
  // As in LoopBack, rules of a folder count once a boot script calls `enableAuth()`; `@fastback/acl` warns where none
  // does.
  const accessControl = app.isAuthEnabled
  const { errors } = errorOptions({ remoting })
  const ofApplication = ownModels(app)
  const coercion = app.get('coercion') as RestOptions['coercion']
  await fastify.register(rest, { prefix, application: app, ofApplication, remoting, accessControl, errors, coercion })
}

/** Its own models, those whose name another application has taken among them, and those that are nobody's. */
function ownModels (app: Application): ModelClass[] {
  const nobodys = Object.values(app.registry.models).filter(Model => !Object.hasOwn(Model, 'app'))
  return [...new Set([...app.models(), ...nobodys])]
}

/**
 * Registers the explorer at its path, with a description of what is published below the REST root. Where the folder
 * does not say what the API is called (setting `apiInfo`, the component's options), its package.json does.
 */
export async function mountExplorer (
  fastify: FastifyInstance,
  options: ExplorerOptions,
  restApiRoot: string,
  folder: Folder | undefined,
  apiInfo: unknown
): Promise<void> {
  const { explorer } = await import('@fastback/explorer')
  const named = {
    ...(folder === undefined ? {} : manifestOf(folder)),
    ...(apiInfo as object | undefined),
    ...(options.apiInfo as object | undefined)
  }
  await fastify.register(explorer, { ...options, apiInfo: named, ...(restApiRoot === '' ? {} : { restApiRoot }) })
}

/** Name and version of the application, as far as it has a package.json that says so. */
function manifestOf (folder: Folder): { title?: string, version?: string } {
  const file = [folder.root, folder.server].map(dir => path.join(dir, 'package.json')).find(existsSync)
  if (file === undefined) return {}
  const { name, version } = parseManifest(readFileSync(file, 'utf8'))
  return { ...(typeof name === 'string' ? { title: name } : {}), ...(typeof version === 'string' ? { version } : {}) }
}

/** A package.json that cannot be read is npm's concern, not the application's. */
function parseManifest (text: string): { name?: unknown, version?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { name?: unknown, version?: unknown }
  } catch {
    return {}
  }
}
