/** RP-initiated logout (openid.md, section 8.1). Errors are pages: none is sent to a client (OI-129). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Row } from '@fastback/core'
import type { Client } from '../../clients/client.js'
import { randomText } from '../../digest.js'
import { requireFormToken } from '../../http/page-token.js'
import { InvalidRequest } from '../../errors.js'
import { seeOther } from '../../http/authorization-response.js'
import { formOf } from '../../http/forms.js'
import { checkOrigin, isForeignForm } from '../../http/origin-check.js'
import { Parameters } from '../../http/parameters.js'
import { goOnScript } from '../../pages/logging-out-page.js'
import { sourceOf, withoutTraces } from '../../pages/send-page.js'
import type { Provider } from '../../provider.js'
import { loginOf, type Session } from '../../session/sessions.js'
import type { OpenId } from '../openid.js'
import { logoutFrames } from './front-channel.js'

/** A request that was checked: plain data. */
interface LogoutRequest {
  readonly clientId?: string
  /** Registered by that client. */
  readonly uri?: string
  readonly state?: string
  /** What the hint says. */
  readonly sub?: string
  readonly sid?: string
}

/** Milliseconds that a request of another site's form is remembered until the browser comes back with its cookie. */
const handOver = 60_000

export function endSessionEndpoint (provider: Provider, openId: OpenId) {
  const { sessions, users, clients } = provider
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isPost = request.method === 'POST'
    const parameters = isPost ? formOf(request) : Parameters.ofQuery(request.url)
    parameters.refuseRepeated()
    const asked = await requestOf(provider, openId, request, parameters)
    const client = asked.clientId === undefined ? undefined : await clients.find(asked.clientId)
    const session = await sessions.load(request)
    const userId = loginOf(session)
    const user = userId === undefined ? undefined : await users.byId(userId)
    if (session === undefined || user === undefined) {
      return isForeignForm(request)
        ? await handOn(provider, reply, asked)
        : await finish(provider, request, reply, asked, [])
    }
    const isConfirmed = isPost && parameters.get('logout') === 'yes'
    if (isConfirmed) {
      checkOrigin(request, provider.issuerOf)
      requireFormToken(provider, session, parameters)
    } else if (!isOwn(openId, asked, session, userId, client)) {
      return await askUser(provider, request, reply, { asked, client, session, user })
    }
    const frames = await logoutFrames(openId, session)
    await sessions.end(session)
    sessions.forget(request, reply)
    return await finish(provider, request, reply, asked, frames)
  }
}

/**
 * Browsers send no cookie with a form of another site (`SameSite`). The request is remembered, and the browser comes
 * back by itself with its cookie: no token stands in the address (OI-128).
 */
async function handOn (
  { states, settings }: Provider, reply: FastifyReply, asked: LogoutRequest
): Promise<FastifyReply> {
  const id = randomText()
  await states.add('logout', id, new Date(Date.now() + handOver), asked)
  return withoutTraces(reply).redirect(`${settings.paths.endSession as string}?request=${id}`, 303)
}

/** @throws InvalidRequest (OI-120, OI-123, OI-125) */
async function requestOf (provider: Provider, openId: OpenId, request: FastifyRequest,
  parameters: Parameters): Promise<LogoutRequest> {
  const id = parameters.get('request')
  if (id !== undefined) {
    const found = await provider.states.get('logout', id)
    if (found === undefined || !await provider.states.remove('logout', id)) {
      throw new InvalidRequest('The request is unknown or too old.')
    }
    return found.data as LogoutRequest
  }
  const token = parameters.get('id_token_hint')
  const hint = token === undefined ? undefined : await openId.readHint(token, { issuer: provider.issuerOf(request) })
  const clientId = parameters.get('client_id') ?? hint?.aud
  if (hint !== undefined && hint.aud !== clientId) {
    throw new InvalidRequest('The client_id is not the one of the id_token_hint.')
  }
  const client = clientId === undefined ? undefined : await provider.clients.find(clientId)
  if (parameters.get('client_id') !== undefined && client === undefined) {
    throw new InvalidRequest('The client is not known.')
  }
  const uri = parameters.get('post_logout_redirect_uri')
  if (uri !== undefined && !registered(client).includes(uri)) {
    throw new InvalidRequest('The post_logout_redirect_uri is not registered.')
  }
  const state = parameters.get('state')
  return {
    ...(client === undefined ? {} : { clientId: client.id }),
    ...(uri === undefined ? {} : { uri, ...(state === undefined ? {} : { state }) }),
    ...(hint === undefined ? {} : { sub: hint.sub, ...(hint.sid === undefined ? {} : { sid: hint.sid }) })
  }
}

const registered = (client: Client | undefined): readonly unknown[] =>
  Array.isArray(client?.row.postLogoutRedirectURIs) ? client.row.postLogoutRedirectURIs as unknown[] : []

/** Whether the client showed an id_token of this very login: nobody has to be asked (OI-121). */
function isOwn (openId: OpenId, { sub, sid }: LogoutRequest, session: Session, userId: unknown,
  client: Client | undefined): boolean {
  if (sub === undefined || client === undefined) return false
  return sub === openId.subjects.of(client, userId) && (sid === undefined || sid === session.data.sid)
}

interface Question {
  readonly asked: LogoutRequest
  readonly client: Client | undefined
  readonly session: Session
  readonly user: Row
}

async function askUser (provider: Provider, request: FastifyRequest, reply: FastifyReply,
  { asked, client, session, user }: Question): Promise<FastifyReply> {
  const { clientId, uri, state } = asked
  return await provider.pages.send(request, reply, 'logout', {
    action: provider.settings.paths.endSession as string,
    csrfToken: provider.csrf.create(session.data.csrf),
    user: provider.users.nameFor(user),
    client: client?.name,
    parameters: {
      ...(clientId === undefined ? {} : { client_id: clientId }),
      ...(uri === undefined ? {} : { post_logout_redirect_uri: uri }),
      ...(state === undefined ? {} : { state })
    }
  }, { session, formAction: ["'self'", ...uri === undefined ? [] : [sourceOf(uri)]] })
}

/** @param frames addresses that the browser has to load before it goes on */
async function finish ({ pages }: Provider, request: FastifyRequest, reply: FastifyReply,
  { uri, state }: LogoutRequest, frames: readonly string[]): Promise<FastifyReply> {
  const next = uri === undefined || state === undefined
    ? uri
    : `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state }).toString()}`
  if (frames.length > 0) {
    return await pages.send(request, reply, 'loggingOut', { frames, next }, {
      frames: frames.map(sourceOf), ...next === undefined ? {} : { script: goOnScript }
    })
  }
  if (next === undefined) return await pages.send(request, reply, 'loggedOut', {})
  return withoutTraces(reply).redirect(next, seeOther(request))
}
