/**
 * Dynamic registration of clients and its management (RFC 7591, 7592; openid.md, section 9.6). Loaded where the option
 * `dynamicRegistration` is on.
 */
import { isSameText, networkOf } from '@fastback/auth/service'
import { RequestError, type Row } from '@fastback/core'
import { createInstance, deleteRows, findRowById, findRows, updateRows } from '@fastback/core/remote'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientOf, type Client } from '../clients/client.js'
import { randomText } from '../digest.js'
import { InvalidToken, TemporarilyUnavailable } from '../errors.js'
import type { Extension } from '../extension.js'
import { countersWith } from '../failures.js'
import { failureOf } from '../http/forms.js'
import { endpointUrl } from '../issuer.js'
import type { Provider } from '../provider.js'
import { endClient } from './end-client.js'
import { checkClient, type ClientRow } from './check-client.js'
import { InvalidClientMetadata } from './errors.js'
import { faulty, fieldsOf, type Metadata } from './fields.js'
import type { RegistrationSettings } from './options.js'

const quiet = { notify: false }
const bodyLimit = 65_536
const hour = 3600
const batch = 100

/** What an update must not have (RFC 7592, section 2.2). */
const notInUpdate = [
  'registration_access_token', 'registration_client_uri', 'client_id_issued_at', 'client_secret_expires_at'
]

/** A client that manages itself. */
interface Managed {
  readonly client: Client
  readonly token: string
  /** Where its row is, as long as the token is good. */
  readonly where: { readonly id: string, readonly registrationAccessToken: string }
}

export class Registration implements Extension {
  readonly #attempts

  constructor (readonly provider: Provider, readonly settings: RegistrationSettings) {
    const { registry, settings: { rateLimit } } = provider
    this.#attempts = countersWith(registry, { max: settings.maxPerHour, window: hour, store: rateLimit?.store })
    // What it is used for says whether anybody wants a client (OI-202).
    const used = ({ client }: { readonly client?: string }): void => {
      if (client === undefined) return
      this.#noteUse(client).catch((err: unknown) => {
        registry.log.warn({ err }, 'OAuth: the use of a client could not be noted')
      })
    }
    provider.on('authorization.accepted', used)
    provider.on('grant.success', used)
  }

  register (scope: FastifyInstance): void {
    const { path } = this.settings
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_request, text, done) => {
      try {
        done(null, JSON.parse(text as string, withoutPrototypes))
      } catch {
        done(new InvalidClientMetadata('The body is not JSON.'))
      }
    })
    scope.setErrorHandler((thrown, request, reply) => this.#refuse(thrown, request, reply))
    scope.post(path, async (request, reply) => await this.#create(request, reply))
    scope.get(`${path}/:client`, { exposeHeadRoute: false }, async (request, reply) => await this.#read(request, reply))
    scope.put(`${path}/:client`, async (request, reply) => await this.#update(request, reply))
    scope.delete(`${path}/:client`, async (request, reply) => await this.#delete(request, reply))
  }

  metadata (issuer: string): Record<string, unknown> {
    return { registration_endpoint: endpointUrl(issuer, this.settings.path) }
  }

  async #create (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.#checkInitialToken(request)
    const { models: { Client } } = this.provider
    const row = this.#check(metadataOf(request))
    const [id, token] = [randomText(), randomText()]
    const secret = secretFor(row)
    const registeredAt = new Date()
    await this.#saving(async () => await createInstance(Client.compiled, {
      ...withoutNulls(row), id, name: row.clientName ?? id, registeredAt,
      registrationAccessToken: this.#digestOf(id, token), ...(secret === undefined ? {} : { clientSecret: secret })
    }))
    return send(reply.code(201), this.#describe(request, { ...row, id, registeredAt }, token, secret))
  }

  async #read (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { client, token } = await this.#managed(request)
    return send(reply, this.#describe(request, { ...client.row, id: client.id }, token))
  }

  async #update (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const managed = await this.#managed(request)
    const { client, token, where } = managed
    const given = metadataOf(request)
    await this.#checkUpdate(managed, given)
    const row = this.#check(given)
    const secret = client.authMethod === 'secret' ? undefined : secretFor(row)
    const isWithout = secretFor(row) === undefined
    const count = await this.#saving(async () => (await updateRows(this.provider.models.Client.compiled, where, {
      ...row, name: row.clientName ?? client.id,
      ...(isWithout ? { clientSecret: null } : secret === undefined ? {} : { clientSecret: secret })
    })).count)
    if (count !== 1) throw notManaged()
    const stored = { ...row, id: client.id, registeredAt: client.row.registeredAt }
    return send(reply, this.#describe(request, stored, token, secret))
  }

  async #delete (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { client, where } = await this.#managed(request)
    const { count } = await deleteRows(this.provider.models.Client.compiled, where)
    if (count !== 1) throw notManaged()
    await endClient(this.provider, client.id)
    return reply.code(204).header('cache-control', 'no-store').send()
  }

  /** @throws InvalidClientMetadata (OI-199) */
  async #checkUpdate ({ client }: Managed, given: Metadata): Promise<void> {
    if (given.client_id !== client.id) throw faulty('client_id', 'must be there, and be the one of the address')
    const forbidden = notInUpdate.find(name => Object.hasOwn(given, name))
    if (forbidden !== undefined) throw faulty(forbidden, 'must not be in an update')
    const { client_secret: secret } = given
    if (secret === undefined) return
    if (typeof secret !== 'string' || client.authMethod !== 'secret' ||
      !await this.provider.secrets.given(client, secret).verify()) {
      throw faulty('client_secret', 'must be the current one')
    }
  }

  #check (given: Metadata): ClientRow {
    return checkClient(given, { server: this.provider.settings, registration: this.settings })
  }

  /** What the model refuses is the registration's fault. */
  async #saving<T> (save: () => Promise<T>): Promise<T> {
    try {
      return await save()
    } catch (error) {
      if (!(error instanceof RequestError) || error.statusCode !== 422) throw error
      // No description repeats a quoted text (O-096).
      throw new InvalidClientMetadata(error.message.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, ''))
    }
  }

  /** @throws InvalidToken, and TooManyAttempts where anybody may register (OI-190) */
  async #checkInitialToken (request: FastifyRequest): Promise<void> {
    const { initialAccessToken: expected } = this.settings
    if (expected === false) {
      await this.#attempts.reserve({ what: 'oauth registration', name: networkOf(request.ip), address: null })
      return
    }
    const token = bearerOf(request)
    const isGood = token !== undefined &&
      (typeof expected === 'string' ? isSameText(expected, token) : await expected(token, request) === true)
    if (!isGood) throw new InvalidToken('The initial access token is missing or wrong.')
  }

  #digestOf (clientId: string, token: string): string {
    return this.provider.states.digest(`registration:${clientId}:${token}`)
  }

  /** The client of a request with its token; whatever is wrong, the response is the same (OI-201). */
  async #managed (request: FastifyRequest): Promise<Managed> {
    const { client: id } = request.params as { readonly client: string }
    const token = bearerOf(request)
    if (token === undefined || !/^[\w-]{43}$/.test(id)) throw notManaged()
    const { compiled } = this.provider.models.Client
    const row = await findRowById(compiled, id, undefined, quiet)
    const registrationAccessToken = this.#digestOf(id, token)
    if (row === undefined || !isSameText(row.registrationAccessToken, registrationAccessToken) ||
      row.status === 'disabled') {
      throw notManaged()
    }
    return { client: clientOf(row, compiled.id?.name ?? 'id'), token, where: { id, registrationAccessToken } }
  }

  /** A client as it is registered (OI-191, OI-198). */
  #describe (request: FastifyRequest, row: Readonly<Row>, token: string, secret?: string): Metadata {
    const id = String(row.id)
    const scopes = row.scopes as readonly string[]
    const named = fieldsOf(this.provider.settings).map(({ name, property }) => [name, row[property]] as const)
    return {
      client_id: id,
      client_id_issued_at: Math.floor((row.registeredAt as Date).getTime() / 1000),
      ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      registration_access_token: token,
      registration_client_uri: `${endpointUrl(this.provider.issuerOf(request), this.settings.path)}/${id}`,
      ...Object.fromEntries(named.filter(([, value]) => value !== undefined && value !== null)),
      scope: scopes.join(' ')
    }
  }

  async #noteUse (id: string): Promise<void> {
    const row = (await this.provider.clients.find(id))?.row
    if (row === undefined || !isSet(row.registeredAt) || isSet(row.firstUsedAt)) return
    await updateRows(this.provider.models.Client.compiled, { id }, { firstUsedAt: new Date() }, quiet)
  }

  /** Removes clients that nobody has used in time (OI-202). */
  async removeUnused (): Promise<void> {
    const { settings: { expireUnused }, provider, provider: { models: { Client } } } = this
    if (expireUnused === 0) return
    const unused = { registeredAt: { lt: new Date(Date.now() - expireUnused * 1000) }, firstUsedAt: null }
    for (;;) {
      const rows: Row[] = await findRows(Client.compiled, { where: unused, fields: ['id'], limit: batch }, quiet)
      for (const { id } of rows) {
        const { count } = await deleteRows(Client.compiled, { ...unused, id })
        if (count === 1) await endClient(provider, String(id))
      }
      if (rows.length < batch) return
    }
  }

  #refuse (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const isOther = (thrown as { code?: unknown }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    const error = failureOf(this.provider, request,
      isOther ? new InvalidClientMetadata('The body must be application/json.') : thrown)
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    if (error instanceof TemporarilyUnavailable) reply.header('retry-after', error.retryAfter)
    if (error instanceof InvalidToken) {
      reply.header('www-authenticate', `Bearer realm="${this.provider.issuerOf(request)}", error="invalid_token"`)
    }
    reply.code(error.statusCode).send(error.toJSON())
  }
}

/** No object of a registration brings its own prototype along. */
const withoutPrototypes = (key: string, value: unknown): unknown => key === '__proto__' ? undefined : value

const isSet = (value: unknown): boolean => value !== undefined && value !== null

const notManaged = (): InvalidToken => new InvalidToken('The registration token is missing or wrong.')

const bearerOf = ({ headers: { authorization } }: FastifyRequest): string | undefined =>
  /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1]

/** @throws InvalidClientMetadata */
function metadataOf ({ body }: FastifyRequest): Metadata {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new InvalidClientMetadata('The body must be a JSON object.')
  }
  return body as Metadata
}

const secretFor = ({ tokenEndpointAuthMethod }: ClientRow): string | undefined =>
  tokenEndpointAuthMethod.startsWith('client_secret_') ? randomText() : undefined

const withoutNulls = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

const send = (reply: FastifyReply, document: Metadata): FastifyReply =>
  reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send(document)
