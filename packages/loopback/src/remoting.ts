/** `@fastback/loopback/remoting`: stands for the package `strong-remoting`. */
import {
  ContextBase, HttpInvocation, RemoteObjects as Remotes, RemotingTypes, RestAdapter, SharedMethod, type RemotesOptions
} from '@fastback/rest/remoting'
import { pointsOf, programFolders } from './own-libraries.js'

/**
 * Classes and objects whose methods can be called over REST and JSON-RPC. Values of arguments are taken as
 * `strong-remoting` takes them: what its users have written down of their methods is its table of conversions, and no
 * description of an API goes beside them. `{ rest: { coercion: 'strict' } }` asks for the rules of models.
 *
 * ```js
 * const RemoteObjects = require('strong-remoting')
 * const remotes = RemoteObjects.create()
 * remotes.exports.math = { sum }           // sum.shared = true, sum.accepts = […]
 * http.createServer(remotes.handler('rest')).listen(3000)
 * ```
 */
export class RemoteObjects extends Remotes {
  static readonly SharedMethod = SharedMethod
  static readonly TypeRegistry = RemotingTypes
  static readonly RestAdapter = RestAdapter
  static readonly HttpInvocation = HttpInvocation
  static readonly ContextBase = ContextBase

  constructor (options: RemotesOptions = {}) {
    super({ ...options, types: { Point: pointsOf(programFolders()), ...options.types } }, 'loopback3')
  }

  static override create (options?: RemotesOptions): RemoteObjects {
    return new RemoteObjects(options)
  }
}
export default RemoteObjects
