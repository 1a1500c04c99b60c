/** Who asks for a password reset: a client, who must not learn which accounts there are, or code of the application. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { addRemoteHook } from '@fastback/core/remote'

/** The part of a remote call's context that is used here. */
interface Context { readonly args: Readonly<Record<string, unknown>> }

const kSent = Symbol('fastback.resetsOfClients')

/** What clients sent: the method gets nothing else of a call, as in LoopBack. */
const sentByClients = (registry: ModelRegistry): WeakSet<object> => registry.slot(kSent, () => new WeakSet<object>())

/** Notes what reset methods are called with over HTTP, after the application's own hooks. */
export function noteClients (User: ModelClass): void {
  addRemoteHook(User, {
    moment: 'before',
    pattern: '**.resetPassword',
    listener ({ args: { options } }: Context) {
      if (options !== null && typeof options === 'object') sentByClients(User.registry).add(options)
    }
  })
}

/** Whether a client sent what a reset is asked for with. */
export const isFromClient = ({ registry }: ModelClass, options: object): boolean =>
  sentByClients(registry).has(options)
