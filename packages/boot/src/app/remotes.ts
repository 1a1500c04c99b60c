/** `app.remotes()`: hooks around all remote methods, and what else folders ask it for. */
import type { ModelClass, ModelRegistry, RemoteHookMoment, SharedMethod } from '@fastback/core'
import { sharedMethodsOf } from '@fastback/core/remote'

type Listener = (context: any, next: any, third?: any) => unknown

export class Remotes {
  constructor (
    readonly registry: ModelRegistry,
    /** The setting `remoting`. */
    readonly options: Record<string, unknown>,
    readonly published: () => ModelClass[]
  ) {}

  /**
   * Before every method that the pattern names: `**`, `*.save`, `Note.find`, `Note.prototype.*`. Listeners get
   * `(context, next)`.
   */
  before (pattern: string, listener: Listener): this { return this.#hook('before', pattern, listener) }
  after (pattern: string, listener: Listener): this { return this.#hook('after', pattern, listener) }
  afterError (pattern: string, listener: Listener): this { return this.#hook('afterError', pattern, listener) }

  #hook (moment: RemoteHookMoment, pattern: string, listener: Listener): this {
    this.registry.remoteHooks.push({ moment, pattern, listener })
    return this
  }

  /** The published models, as `{ name, ctor, methods() }`. */
  classes (): Array<{ name: string, ctor: ModelClass, methods: () => readonly SharedMethod[] }> {
    return this.published().map(ctor => ({ name: ctor.modelName, ctor, methods: () => sharedMethodsOf(ctor) }))
  }

  /** All shared methods of published models. */
  methods (): SharedMethod[] {
    return this.published().flatMap(Model => sharedMethodsOf(Model))
  }
}
