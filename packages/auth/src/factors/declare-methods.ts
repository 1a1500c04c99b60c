/** How endpoints of accounts' factors are declared: codes and passkeys alike. */
import type { ModelClass, RemoteMethodOptions } from '@fastback/core'
import { addRemoteHook, rulesToExtend } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { builtin } from '../builtin.js'
import { TooManyAttempts } from '../errors.js'
import { refuseDelegated } from '../tokens/delegated.js'
import type { UserModel } from '../user/user-model.js'

/** The part of a remote call's context that is used here. */
export interface Context {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly method: { readonly model: ModelClass }
  readonly error?: unknown
}

/** For responses that nobody may store. */
export const noStore = ({ reply }: Context): void => { reply.header('cache-control', 'no-store') }
const byUsersOnly = ({ request }: Context): void => { refuseDelegated(request.accessToken) }

/** For methods that a user, and no program with a token of theirs, calls. */
export const ofUsers = { before: [byUsersOnly, noStore] }

export const id = { arg: 'id', type: 'any', required: true, http: { source: 'path' } } as const
export const fk = { arg: 'fk', type: 'string', required: true, http: { source: 'path' } } as const
export const options = { arg: 'options', type: 'object', http: 'optionsFromRequest' } as const
export const body = (description: string) =>
  ({ arg: 'data', type: 'object', http: { source: 'body' }, description } as const)
export const root = (description: string) => ({ arg: 'data', type: 'object', root: true, description } as const)

export const refused = {
  401: 'The password or the second factor is wrong',
  403: 'The token is another user\'s, or was given to another program',
  429: 'Too many attempts on this account'
}

type Methods = Readonly<Record<string, RemoteMethodOptions>>

/**
 * Puts functions, endpoints and their rules on a user model.
 *
 * ```js
 * declareMethods(Customer, factorFunctions(Customer, factors), { own, open })
 * ```
 * @param methods those for the user of the row, and those for everybody
 */
export function declareMethods (
  Model: UserModel, functions: Readonly<Record<string, unknown>>,
  methods: { readonly own: Methods, readonly open: Methods }
): void {
  for (const [name, value] of Object.entries(functions)) {
    Object.defineProperty(Model, name, { value: builtin(value as never), configurable: true, writable: true })
  }
  const rules = rulesToExtend(Model, `model "${Model.modelName}"`)
  for (const [principalId, some] of [['$owner', methods.own], ['$everyone', methods.open]] as const) {
    for (const [name, method] of Object.entries(some)) {
      Model.remoteMethod(name, method)
      rules.push({ principalType: 'ROLE', principalId, permission: 'ALLOW', property: name })
      tellOfLimits(Model, name)
    }
  }
}

/** Nobody stores a challenge, and who tried too often is told how long to wait. */
export function tellOfLimits (Model: UserModel, pattern: string): void {
  addRemoteHook(Model, {
    moment: 'afterError', pattern,
    listener: (context: Context) => {
      noStore(context)
      const { reply, error } = context
      if (error instanceof TooManyAttempts) reply.header('retry-after', error.retryAfter)
    }
  })
}
