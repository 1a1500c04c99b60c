/** `app.remotes()`: the remote calls of an application, with the hooks and phases around them. */
import type { ModelClass, ModelRegistry, SharedClass, DescribedSharedMethod } from '@fastback/core'
import { phasesOf, RemoteCalls, RestRoutes } from '@fastback/rest/remoting'

export interface RemotesParts {
  readonly registry: ModelRegistry
  /** The setting `remoting`. */
  readonly options: Readonly<Record<string, unknown>>
  readonly published: () => ModelClass[]
  /** What serves the routes of models, guarded as everywhere. */
  readonly handler: (type: string) => unknown
}

/**
 * The same as `RemoteObjects` of `strong-remoting`, over the published models of an application.
 *
 * ```js
 * app.remotes().before('**', async ctx => { ctx.args.options.startedAt = Date.now() })
 * app.remotes().phases.addBefore('invoke', 'tenant').use((ctx, next) => { ctx.args.options.tenant = 1; next() })
 * ```
 */
export class Remotes extends RemoteCalls<SharedClass, DescribedSharedMethod> {
  readonly options: Readonly<Record<string, unknown>>
  readonly #published: () => ModelClass[]
  readonly #handler: RemotesParts['handler']

  constructor ({ registry, options, published, handler }: RemotesParts) {
    super({ hooks: registry.remoteHooks, phases: phasesOf(registry) })
    this.options = options
    this.#published = published
    this.#handler = handler
  }

  /** What of the published models is shared. */
  classes (): SharedClass[] {
    return this.#published().map(Model => Model.sharedClass as SharedClass)
  }

  /** `app.handler(type)`, whose `adapter` lists the routes. */
  handler (type: string): unknown {
    const { rest } = this.options as { rest?: { normalizeHttpPath?: boolean } }
    return Object.assign(this.#handler(type) as object, { adapter: new RestRoutes(this, rest) })
  }
}
