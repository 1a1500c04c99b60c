/** REST for a `RemoteObjects`: its handler, and calls to the same methods on another server. */
import { CannotInvokeError, RemovedSettingError } from '../errors/startup-errors.js'
import { runHooks } from '../hooks/run.js'
import type { RemoteContext } from '../hooks/context.js'
import { createRestHandler, type RemotesHandler } from './handler.js'
import { HttpInvocation } from './http-invocation.js'
import type { RemotingAuth } from './http-request.js'
import type { RemoteObjects } from './remote-objects.js'
import { RestClass, RestMethod, routesOf, sortRoutes, type RestOptionsOfAdapter } from './rest-class.js'
import { RestRoutes } from './rest-routes.js'
import type { SharedMethod } from './shared-method.js'

type Done = (error: unknown, ...values: unknown[]) => void

/**
 * What `remotes.handler('rest')` and `remotes.connect(url, 'rest')` make.
 *
 * ```js
 * new RestAdapter(remotes).allRoutes().map(({ verb, path }) => `${verb} ${path}`) // ['get /math/sum']
 * ```
 */
export class RestAdapter extends RestRoutes<SharedMethod> {
  static readonly RestClass = RestClass
  static readonly RestMethod = RestMethod
  static readonly sortRoutes = sortRoutes
  /** Address of the other server. */
  connection: string | undefined

  /** @param options default: `remotes.options.rest` */
  constructor (override readonly remotes: RemoteObjects, options?: RestOptionsOfAdapter) {
    super(remotes, options ?? remotes.options.rest)
  }

  /**
   * A function for `app.use()` and `http.createServer()`, for the methods that are shared now.
   * @throws FBK_REST_INVALID_OPTIONS, FBK_REST_REMOVED_SETTING
   */
  createHandler (): RemotesHandler {
    const { cors } = this.remotes.options
    if (cors !== undefined && cors !== false) {
      throw new RemovedSettingError(
        'The REST adapter has no CORS of its own: "remoting.cors" is no longer available. Use a middleware for CORS.'
      )
    }
    return createRestHandler(this.remotes, this.getClasses(), this.options)
  }

  getRoutes = routesOf

  connect (url: string): void {
    this.connection = url
  }

  /**
   * Calls a method on the other server: `invoke('Note.find', [filter], callback)`, or for instance methods
   * `invoke('Note.prototype.publish', [id], [], callback)`. Hooks of the method run here as well.
   * @throws FBK_REST_CANNOT_INVOKE before `connect`
   */
  invoke (name: string, ...rest: unknown[]): void {
    const done = rest.findLast(each => typeof each === 'function') as Done
    const lists = rest.filter(each => Array.isArray(each)) as unknown[][]
    const [ctorArgs, args] = lists.length > 1 ? lists as [unknown[], unknown[]] : [[], lists[0] ?? []]
    if (this.connection === undefined) throw new CannotInvokeError(name, 'there is no connection')
    const method = this.getRestMethodByName(name)
    if (method === undefined) { done(new CannotInvokeError(name, 'there is no such method')); return }
    const auth = this.#authFor(method.getArgByName('options', args))
    const invocation = new HttpInvocation(method, ctorArgs, args, this.connection, auth, this.remotes.types)
    this.#send(invocation, name).then(values => { done(null, ...values) }, done)
  }

  async #send (invocation: HttpInvocation, name: string): Promise<unknown[]> {
    const hooks = this.remotes.hooks.of(name)
    const context = invocation.context as unknown as RemoteContext
    Object.assign(context, { req: invocation.createRequest() })
    await runHooks(hooks.before, context)
    const values = await new Promise<unknown[]>((resolve, reject) => {
      invocation.invoke((error, ...given) => {
        if (error !== null && error !== undefined) reject(error as Error)
        else resolve(given)
      })
    })
    Object.assign(context, { result: values, res: invocation.getResponse() })
    await runHooks(hooks.after, context)
    return values
  }

  #authFor (options: unknown): RemotingAuth | undefined {
    const { auth } = this.remotes
    if (auth !== undefined || this.options.passAccessToken !== true) return auth
    const { accessToken } = (options ?? {}) as RemotingAuth
    return accessToken === undefined ? undefined : { accessToken }
  }
}
