import { attachMissing } from '@fastback/auth'
import { isFullLogin } from '@fastback/auth/service'
import { actingModels } from './acting/models.js'
import { rowReader } from './acting/row-reader.js'
import type { Acting, ModelClass, SharedMethod } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import { accessReviewIn, checkOptions, sharedMethodOf } from '@fastback/core/remote'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { Caller } from './caller.js'
import { InvalidOptionsError } from './errors.js'
import { Guard } from './guard/guard.js'
import { IncludeRules } from './guard/include-rules.js'
import { guardOwners } from './guard/owner-from-token.js'
import { mustAgree } from './guard/related-access.js'
import { RequestParts } from './guard/remoting-context.js'
import { Membership } from './membership.js'
import { installAclModels } from './models/index.js'
import { AclSchema, type AclOptions } from './options.js'
import { callersOf, mayBeCalled } from './review.js'
import { rowWordsOf } from './rows/row-words.js'
import { accessTypeOf } from './rules/rule.js'
import { aclService } from './service.js'
import { mustReadRules, warnOfIncludes, warnOfNames, warnOfRows, warnOfRules } from './warnings.js'
import './types.js'

const noRoles: Record<string, boolean> = Object.freeze({})
const kRoles = Symbol('fastback.authorizedRoles')

type Requesting = FastifyRequest & { [kRoles]?: Record<string, boolean> }

async function aclPlugin (app: FastifyInstance, given: AclOptions): Promise<void> {
  const { dataSource } = checkOptions(AclSchema, given, InvalidOptionsError)
  const { registry } = app
  installAclModels(registry)
  if (dataSource !== undefined) attachMissing(registry, { ACL: false, Role: false, RoleMapping: false }, dataSource)
  const service = aclService(registry)
  const includes = new IncludeRules(registry, service)
  Object.assign(accessReviewIn(registry), {
    callersOf,
    mayBeCalled,
    as: (caller: Acting) => actingModels(registry, service, includes, caller),
    readerFor: async (caller: Acting, Model: ModelClass) => await rowReader(registry, service, includes, caller, Model),
    narrows: (Model: ModelClass) => service.rows.concerns(Model),
    ruledProperties: (Model: ModelClass) => service.rows.namedProperties(Model),
    rowsOf: (method: SharedMethod) => rowWordsOf(service, method),
    mayCall: async (method: SharedMethod, request: FastifyRequest, reply: FastifyReply) =>
      await new Guard(service, method, includes).allows(request, reply),
    isInRole: async (role: string, method: SharedMethod, request: FastifyRequest, reply: FastifyReply) => {
      const { accessToken } = request
      // No role of its user comes with a token that is good for something else (security.md, S-150).
      if (accessToken !== null && !await isFullLogin(registry, accessToken)) return false
      const asked = { Model: method.model, modelId: undefined, accessType: accessTypeOf(method) }
      const caller = new Caller(service.users, accessToken)
      return await new Membership(service, caller, new RequestParts(asked, request, reply, method)).isIn(role)
    }
  })
  app.decorateRequest('includeGuard', null)
  app.decorateRequest('rowGuard', null)
  app.decorateRequest('rowRules', null)
  app.decorateRequest('methodRights', null)
  if (!app.hasRequestDecorator('watchRights')) app.decorateRequest('watchRights', null)
  app.decorateRequest('authorizedRoles', {
    getter (this: FastifyRequest) { return (this as Requesting)[kRoles] ?? noRoles },
    setter (this: FastifyRequest, roles: Record<string, boolean>) { (this as Requesting)[kRoles] = roles }
  })
  app.addHook('onRoute', (route: RouteOptions) => {
    const method = sharedMethodOf(route)
    if (method === undefined) return
    includes.reach.add(method, route)
    const guard = new Guard(service, method, includes)
    // Before what others ask of the route: who may not call it learns nothing else.
    route.preHandler = [check(guard), ...[route.preHandler ?? []].flat()]
  })
  app.addHook('onReady', async () => {
    mustReadRules(registry)
    mustAgree(registry)
    guardOwners(registry)
    service.rows.forget()
    // Applications may add models while they run.
    registry.on('modelAttached', () => {
      guardOwners(registry)
      service.rows.forget()
    })
    warnOfRules(registry)
    warnOfNames(registry)
    warnOfRows(registry)
    warnOfIncludes(registry)
  })
}

function check (guard: Guard) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    let checked
    try {
      checked = guard.check(request, reply)
    } catch (error) {
      done(error as Error)
      return
    }
    if (isPromise(checked)) checked.then(() => { done() }, done)
    else done()
  }
}

/**
 * Guards the routes of shared methods: register it after `@fastback/auth` and before `@fastback/rest`. Rules are those
 * of the model definitions and, where the model ACL is attached, its rows. Every route that carries
 * `config.sharedMethod` is guarded, whoever registers it. Who may not call a method gets 401 without a token, else what
 * `aclErrorStatus` says.
 *
 * ```js
 * await app.register(core, { … })
 * await app.register(auth, { dataSource: 'db' })
 * await app.register(acl, { dataSource: 'db' })
 * await app.register(rest, { prefix: '/api' })
 * ```
 * @param options `dataSource`: where ACL, Role and RoleMapping are kept that the application does not attach itself.
 * Default: nowhere; only declared rules count then
 * @throws FBK_ACL_INVALID_OPTIONS; at start FBK_ACL_UNREAD_RULES
 */
export const acl = fp(aclPlugin, {
  name: '@fastback/acl',
  fastify: '5.x',
  dependencies: ['@fastback/core', '@fastback/auth'],
  decorators: { fastify: ['registry', 'authentication'], request: ['accessToken'] }
})
export default acl
