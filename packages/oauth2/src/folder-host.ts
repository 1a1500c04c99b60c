/** A provider of an application folder: its host, and paths that are guarded before it is set up. */
import type { HostApplication, MiddlewareUse } from '@fastback/core'
import { InvalidOptionsError } from './errors.js'
import type { Host } from './host.js'
import type { AuthenticateOptions } from './authenticate-options.js'
import type { Provider } from './provider.js'

export interface FolderApplication extends HostApplication {
  oauth2?: Provider
}

const kWaiting = Symbol('fastback.oauth2.waiting')

/** Paths that middleware.json names before the component is set up. */
export const waiting = ({ registry }: FolderApplication): MiddlewareUse[] => registry.core.slot(kWaiting, () => [])

export const folderHost = (app: FolderApplication): Host => ({
  fastify: app.fastify,
  registry: app.registry.core,
  model: name => app.registry.findModel(name),
  attach: (Model, dataSource) => { app.model(Model, { dataSource, public: false }) },
  render: (_request, _reply, view, values) => new Promise((resolve, reject) => {
    app.render(view, values, (error, text) => {
      if (error === null || error === undefined) resolve(text)
      else reject(error as Error)
    })
  })
})

/** `params` may be one object or a list of them; several are all asked for. */
export function protect (provider: Provider, { written, paths, params }: MiddlewareUse): void {
  if (!paths.every(path => typeof path === 'string')) {
    throw new InvalidOptionsError(`${written}, paths: a guard covers paths that are written out, no expressions.`)
  }
  const all = params.flat() as AuthenticateOptions[]
  for (const options of all.length === 0 ? [{}] : all) {
    provider.authenticate(paths.length === 0 ? undefined : paths, options)
  }
}
