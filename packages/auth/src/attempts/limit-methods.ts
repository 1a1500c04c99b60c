/**
 * Limits of the endpoints where somebody may guess, or make us send mail: login, change of password, confirmation;
 * reset and verification. They look at the arguments as the method gets them, after conversion and the application's
 * own hooks. Code in the process is not limited.
 */
import type { ModelClass, ModelInstance, RemoteHookMoment } from '@fastback/core'
import { coerceId } from '@fastback/core/connector'
import { addRemoteHook } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { TooManyAttempts } from '../errors.js'
import { authService } from '../service.js'
import { credentialsOf } from '../user/credentials.js'
import { resetCondition } from '../user/reset-condition.js'
import type { UserModel } from '../user/user-model.js'
import { accountId, accountName } from './account-keys.js'
import type { Attempt, Reservation } from './attempts.js'
import { attemptsOf } from './service.js'

const kReservation = Symbol('fastback.attempt')

/** The part of a remote call's context that is used here. */
interface Context {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly method: { readonly model: ModelClass }
  readonly args: Readonly<Record<string, unknown>>
  readonly instance: ModelInstance | undefined
  readonly result: unknown
  [kReservation]?: Reservation
}

type Account = Pick<Attempt, 'name' | 'id'>
type AccountOf = (Model: UserModel, context: Context) => Promise<Account> | Account

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

async function found (Model: UserModel, where: Readonly<Record<string, unknown>>): Promise<Account> {
  const user = await Model.findOne({ where })
  return {
    name: accountName(Model.modelName, where),
    id: user === null ? undefined : accountId(Model.modelName, user[idName(Model)])
  }
}

const idName = (Model: UserModel): string => Model.getIdName() ?? 'id'

/** The account with an id as it came: `1`, `01` and `1.0` are one where ids are numbers. */
const byId = (
  Model: UserModel,
  given: unknown,
  user: Readonly<Record<string, unknown>> | null | undefined
): Account => ({
  name: accountName(Model.modelName, { id: coerceId(Model.compiled, given) ?? given }),
  id: (user?.[idName(Model)] ?? null) === null ? undefined : accountId(Model.modelName, user?.[idName(Model)])
})

/** By remote method: the account that an attempt is on. Where a request names none, the method refuses it. */
const limited: Readonly<Record<string, AccountOf>> = {
  login: async (Model, { args }) =>
    await found(Model, credentialsOf(Model, isRecord(args.credentials) ? args.credentials : args)),
  resetPassword: async (Model, { args }) =>
    await found(
      Model,
      resetCondition(Model, isRecord(args.options) && args.email === undefined ? args.options : args)
    ),
  changePassword: (Model, { args: { id } }) => ((id ?? null) === null ? {} : { id: accountId(Model.modelName, id) }),
  confirm: async (Model, { args: { uid } }) => byId(Model, uid, await Model.findById(uid)),
  'prototype.verify': (Model, { request, instance }) => byId(Model, (request.params as { id: unknown }).id, instance)
}

/** What sends mail is an attempt however it ends. */
const givesBack = new Set(['login', 'changePassword', 'confirm'])

/**
 * Puts the limits on the built-in user model; those that extend it inherit them. `**.` puts the hooks behind those that
 * name the method.
 */
export function limitMethods (User: ModelClass): void {
  for (const [name, accountOf] of Object.entries(limited)) {
    const hook = (moment: RemoteHookMoment, listener: (context: Context) => Promise<void> | void): void => {
      addRemoteHook(User, { moment, pattern: `**.${name}`, listener })
    }
    hook('before', context => reserve(name, accountOf, context))
    if (givesBack.has(name)) hook('after', context => context[kReservation]?.succeeded())
  }
}

function reserve (what: string, accountOf: AccountOf, context: Context): Promise<void> | undefined {
  const Model = context.method.model as UserModel
  return attemptsOf(Model.registry).users === undefined ? undefined : count(what, accountOf, Model, context)
}

async function count (what: string, accountOf: AccountOf, Model: UserModel, context: Context): Promise<void> {
  const {
    request: { ip: address },
    reply
  } = context
  const account = await accountOrNone(accountOf, Model, context)
  try {
    const reservation = await attemptsOf(Model.registry).users?.reserve({ what, address, ...account })
    if (reservation !== undefined) context[kReservation] = reservation
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error
    authService(Model.registry).audit({
      event: 'attempts limited',
      model: Model.modelName,
      address,
      account: account.name ?? account.id
    })
    reply.header('retry-after', error.retryAfter)
    throw error
  }
}

/** Credentials that are none are refused by the method, in its own words. */
async function accountOrNone (accountOf: AccountOf, Model: UserModel, context: Context): Promise<Account> {
  try {
    return await accountOf(Model, context)
  } catch (error) {
    if ((error as { statusCode?: unknown }).statusCode === 400) return {}
    throw error
  }
}
