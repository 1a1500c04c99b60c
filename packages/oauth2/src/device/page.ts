/** The page where people enter the code of a device, and decide (OI-144, OI-145). */
import { networkOf } from '@fastback/auth/service'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, type PageCaller } from '../account/page-caller.js'
import type { Client } from '../clients/client.js'
import { randomText } from '../digest.js'
import { parametersOf } from '../endpoints/authorize.js'
import { describeScopes } from '../endpoints/dialog.js'
import { sendToLoginFor } from '../endpoints/login.js'
import { AccessDenied, InvalidRequest } from '../errors.js'
import { countersWith } from '../failures.js'
import { formOf } from '../http/forms.js'
import { checkOrigin } from '../http/origin-check.js'
import { requireFormToken } from '../http/page-token.js'
import { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import { describeResources } from '../resource/indicators.js'
import type { DeviceCodes, FoundDevice } from './device-codes.js'
import type { DeviceSettings } from './options.js'
import { readUserCode, shownCode } from './user-code.js'

const own = { formAction: ["'self'"] }

/** What the page is about. */
export interface DevicePage {
  readonly provider: Provider
  readonly settings: DeviceSettings
  readonly codes: DeviceCodes
}

/** A session of before the option `openid` does not know when the login was: it is none here. */
async function deviceCallerOf (provider: Provider, request: FastifyRequest): Promise<PageCaller | undefined> {
  const caller = await callerOf(provider, request)
  return provider.openId !== undefined && caller?.session.data.sid === undefined ? undefined : caller
}

/** Opening an address grants nothing: a code in it only stands in the field (OI-144). */
export function devicePageEndpoint ({ provider, settings }: DevicePage) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const given = readUserCode(Parameters.ofQuery(request.url).get('user_code'))
    const userCode = given === undefined ? undefined : shownCode(given)
    const caller = await deviceCallerOf(provider, request)
    if (caller === undefined) {
      const query = userCode === undefined ? undefined : { user_code: userCode }
      return await sendToLoginFor(provider, request, reply, 'device', query)
    }
    const { session } = caller
    return await provider.pages.send(request, reply, 'device', {
      action: settings.verificationPath, csrfToken: provider.csrf.create(session.data.csrf), userCode, failed: false
    }, { ...own, session })
  }
}

export function deviceFormEndpoint (device: DevicePage) {
  const { provider, settings, codes } = device
  const { rateLimit } = provider.settings
  const attempts = countersWith(provider.registry, {
    max: settings.maxWrongCodes, window: settings.ttl, store: rateLimit?.store
  })

  /** The device of a code that somebody typed. Wrong codes are counted, for the user and for the address. */
  async function find (request: FastifyRequest, { user }: PageCaller, text: string | undefined): Promise<{
    readonly found: FoundDevice, readonly client: Client
  } | undefined> {
    const reservations = []
    for (const name of [`user ${String(provider.users.idOf(user))}`, `at ${networkOf(request.ip)}`]) {
      reservations.push(await attempts.reserve({ what: 'oauth device', name, address: null }))
    }
    const userCode = readUserCode(text)
    const found = userCode === undefined ? undefined : await codes.find(userCode)
    const client = found === undefined ? undefined : await provider.clients.find(found.clientId)
    if (found === undefined || client === undefined) return undefined
    for (const reservation of reservations) await reservation.succeeded()
    return { found, client }
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    checkOrigin(request, provider.issuerOf)
    const body = formOf(request)
    body.refuseRepeated()
    const caller = await deviceCallerOf(provider, request)
    if (caller === undefined) return await sendToLoginFor(provider, request, reply, 'device')
    requireFormToken(provider, caller.session, body)
    const { session } = caller
    const form = { action: settings.verificationPath, csrfToken: provider.csrf.create(session.data.csrf) }
    const match = await find(request, caller, body.get('user_code'))
    if (match === undefined) {
      return await provider.pages.send(
        request, reply, 'device', { ...form, userCode: undefined, failed: true }, { ...own, session, status: 400 })
    }
    const { found, client } = match
    const decision = body.get('decision')
    if (decision !== undefined) {
      if (decision !== 'allow' && decision !== 'deny') throw new InvalidRequest('The form is not known.')
      await decide(device, request, caller, client, found, decision === 'allow')
      return await provider.pages.send(
        request, reply, 'deviceDone', { allowed: decision === 'allow' }, { ...own, session })
    }
    return await provider.pages.send(request, reply, 'deviceDecision', {
      ...form,
      userCode: shownCode(found.userCode),
      client: client.name,
      user: provider.users.nameFor(caller.user),
      scopes: await describeScopes(provider, found.scopes),
      resources: describeResources(found.resources ?? [], provider.settings.indicators)
    }, { ...own, session })
  }
}

/** @throws InvalidRequest where somebody else has decided, AccessDenied where the login ended meanwhile */
async function decide (device: DevicePage, request: FastifyRequest, { session, user }: PageCaller, client: Client,
  found: FoundDevice, allowed: boolean): Promise<void> {
  const { provider, provider: { openId, users }, codes } = device
  if (!allowed) {
    if (!await codes.decide(found, { allowed })) throw decided()
    return
  }
  const { scopes, resources, clientId } = found
  const grantId = randomText()
  const context = openId?.contextOf({ scopes, openId: { claims: { idToken: [], userinfo: [] }, named: [] } },
    session.data, client, user)
  const issuer = provider.issuerOf(request)
  // Whoever ends the session finds the grant, or the session is found to have ended.
  if (context !== undefined) await openId?.logins.addGrant({ context, grantId, issuer, client, user, scopes })
  const userId = users.idOf(user)
  const parameters = parametersOf(provider, session, context)
  const decision = { allowed, userId, clientId, grantId, scopes, resources, ...parameters }
  if (!await codes.decide(found, decision)) throw decided()
  if (!await provider.sessions.isOpen(session)) {
    // Whoever ended the login may not have seen what was just decided in it (S-43).
    await codes.withdraw(found)
    await provider.grants.revoke(grantId)
    throw new AccessDenied('The login has ended.')
  }
  provider.emit('authorization.accepted', { client: client.id, userId })
}

const decided = (): InvalidRequest => new InvalidRequest('The code was used before, or is too old.')
