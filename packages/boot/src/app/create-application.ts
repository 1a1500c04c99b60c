/** Makes the application object: a function with members of LoopBack's applications, some of them Express' own. */
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { RemovedFunctionError } from '../errors.js'
import { classify } from '../load/names.js'
import type { Next } from '../middleware/exchange.js'
import type { Application, Method } from './application.js'
import type { ApplicationParts } from './application-parts.js'
import { modelMembers } from './model-members.js'
import type { Settings } from './settings.js'

export function createApplication (parts: ApplicationParts): Application {
  const { settings } = parts
  const handle = (req: IncomingMessage, res: ServerResponse, next?: Next): void => { parts.handle(req, res, next) }
  const app = handle.bind(undefined) as unknown as Application
  const { constructor: _constructor, ...events } = Object.getOwnPropertyDescriptors(EventEmitter.prototype)
  Object.defineProperties(app, events)
  app.setMaxListeners(0)
  Object.assign(
    app, parts.middleware, settingMembers(app, settings), modelMembers(app, parts), expressMembers(app, settings),
    {
      handle,
      registry: parts.registry,
      loopback: parts.loopback,
      start: () => parts.start(),
      listen: (...args: unknown[]) => parts.listen(args),
      boot () {
        throw new RemovedFunctionError('app.boot()', 'The folder is booted by @fastback/boot.')
      }
    }
  )
  Object.defineProperties(app, {
    fastify: { get: () => parts.fastify() },
    // Express applications that are made part of this one inherit them.
    ...Object.fromEntries(
      ['request', 'response', 'engines'].map(name => [name, ofExpress(settings, name)])
    ),
    isAuthEnabled: { get: () => parts.isAuthEnabled() },
    booting: { get: () => parts.isBooting() },
    name: { value: classify('application') }
  })
  return app
}

const settingMembers = (app: Application, settings: Settings) => ({
  settings: settings.values,
  set (name: string, value: unknown) {
    settings.set(name, value)
    return app
  },
  enable: (name: string) => app.set(name, true),
  disable: (name: string) => app.set(name, false),
  enabled: (name: string) => Boolean(settings.get(name)),
  disabled: (name: string) => !settings.get(name)
})

/** What Express' applications have beside middleware and routes. */
const expressMembers = (app: Application, settings: Settings) => ({
  locals: Object.create(null) as object,
  mountpath: '/',
  /** Also within an application of Express'. */
  path (): string {
    const { parent, mountpath } = app as { parent?: { path?: () => string }, mountpath?: unknown }
    return parent === undefined ? '' : `${parent.path?.() ?? ''}${String(mountpath)}`
  },
  render: (...args: unknown[]): unknown => (settings.express.render as Method)(...args),
  engine (...args: unknown[]) {
    ;(settings.express.engine as Method)(...args)
    return app
  }
})

/** Prototypes of requests and responses, and template engines. */
const ofExpress = (settings: Settings, name: string): PropertyDescriptor => {
  // Asked for when somebody asks for it: Express is loaded by that.
  const express = (): Record<string, unknown> => settings.express as unknown as Record<string, unknown>
  return { get: () => express()[name], set: (value: unknown) => { express()[name] = value } }
}
