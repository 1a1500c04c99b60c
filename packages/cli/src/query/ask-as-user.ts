/** Asks an application for a list as a user does: over REST, without a socket. */
import type { ModelClass } from '@fastback/core'
import { knownUsersIn, type LentTo } from '@fastback/core/remote'
import { restRoutes } from '@fastback/rest'
import type { FastifyInstance } from 'fastify'
import { UnqueriedModelError } from '../errors.js'

/** What the API refused, with the code and the message that clients get. */
class Refusal extends Error {
  constructor (readonly statusCode: number, readonly code: string, message: string) {
    super(message)
  }
}

/**
 * What asks for the rows, without a user as a caller who is not logged in: rules, roles, default scopes and hooks are
 * those of a request with a token of the user.
 * Nothing is stored of the token.
 * @throws FBK_CLI_NOT_ASKED, FBK_AUTH_UNKNOWN_USER
 */
export async function askAsUser (
  fastify: FastifyInstance, Model: ModelClass, filter: unknown, user: LentTo | undefined
): Promise<() => Promise<unknown[]>> {
  await fastify.ready()
  const { registry } = Model
  const route = restRoutes(registry).find(({ method }) => method.model === Model && method.fullName === 'find')
  if (route === undefined) throw new UnqueriedModelError(Model.modelName, 'the API has no list of it.')
  const token = user === undefined ? {} : { authorization: await tokenOf(Model, user) }
  const url = `${route.prefix}${route.path}?filter=${encodeURIComponent(JSON.stringify(filter))}`
  return async () => {
    const response = await fastify.inject({ method: 'GET', url, headers: { ...token, accept: 'application/json' } })
    const body: unknown = response.json()
    if (response.statusCode >= 400) throw refusalOf(response.statusCode, body)
    return body as unknown[]
  }
}

async function tokenOf ({ modelName, registry }: ModelClass, user: LentTo): Promise<string> {
  const { lendToken } = knownUsersIn(registry)
  if (lendToken === undefined) {
    throw new UnqueriedModelError(modelName, 'the application reads no tokens (enableAuth(), @fastback/auth). Without --user it is asked all the same.')
  }
  return await lendToken(user)
}

/** Errors have one of the forms of `@fastback/rest`: an object `error`, or RFC 9457. */
function refusalOf (status: number, body: unknown): Refusal {
  const { error, ...problem } = body as { readonly error?: Told } & Told
  const { code, name, message, detail } = error ?? problem
  return new Refusal(status, code ?? name ?? `HTTP_${status}`, message ?? detail ?? 'it gave no reason')
}

interface Told { readonly code?: string, readonly name?: string, readonly message?: string, readonly detail?: string }
