/** The application of a folder, as logins use it. */
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HostApplication, ModelClass } from '@fastback/core'
import type { OAuthLogin } from './oauth-login.js'
import type { LoginHost } from './login-host.js'
import { expressVisit, type ExpressRequest, type Next, type Visit } from './visit.js'
import type { ServerResponse } from 'node:http'

type Handler = (req: ExpressRequest, res: ServerResponse, next: Next) => void

export interface FolderApplication extends HostApplication {
  readonly dataSources: Readonly<Record<string, { readonly name?: string }>>
  readonly oauth2?: OAuthLogin
  middleware (phase: string, handler: Handler): unknown
  post (path: string, handler: Handler): unknown
}

export function folderHost (app: FolderApplication): LoginHost {
  const { registry } = app
  const { core } = registry
  return {
    registry: core,
    model: name => registry.findModel(name),
    attach: (Model: ModelClass, dataSource) => { app.model(Model, { dataSource, public: false }) },
    dataSources: () => Object.keys(app.dataSources),
    load: name => loadFrom([core.baseDir, process.cwd()], name),
    get oauth2 () { return app.oauth2 },
    isNew: false,
    route (method, at, handle) {
      const add = (app as unknown as Record<string, (path: string, handler: Handler) => unknown>)[method] as
        (path: string, handler: Handler) => unknown
      add.call(app, at, (req, res, next) => {
        let visit: Visit
        try {
          visit = expressVisit(req, res, next, originOf(app))
        } catch (error) {
          next(error)
          return
        }
        handle(visit).catch(next)
      })
    }
  }
}

const originOf = (app: FolderApplication): string | undefined => {
  const { origin } = (app.get('login') ?? {}) as { origin?: unknown }
  return typeof origin === 'string' ? origin.replace(/\/$/, '') : undefined
}

/** Loads a package that the application has installed; undefined where it has not. */
export function loadFrom (folders: readonly string[], name: string): Promise<unknown> | undefined {
  for (const folder of folders) {
    const require = createRequire(path.join(path.resolve(folder), 'package.json'))
    try {
      const file = require.resolve(name.startsWith('.') ? path.resolve(folder, name) : name)
      return import(pathToFileURL(file).href)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return undefined
}
