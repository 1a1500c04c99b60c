/** Functions of the models Role and RoleMapping. */
import { authService, userModelsOf } from '@fastback/auth/service'
import type { HookContext, ModelClass, ModelInstance, ModelRegistry, SharedMethod } from '@fastback/core'
import { chain, promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { compiledOf, findRows, forgetOnChange } from '@fastback/core/remote'
import { Caller } from '../caller.js'
import { Membership } from '../membership.js'
import type { Resolver } from '../roles/resolver.js'
import { resolversRecord } from '../roles/resolvers-record.js'
import { endMappings } from '../roles/end-mappings.js'
import { isOwner } from '../roles/owner.js'
import { aclService } from '../service.js'
import { principalTypes, roleNames } from './constants.js'
import { onInstance, statically } from './statically.js'

interface Asked {
  principals?: ReadonlyArray<{ type: string, id: unknown }>
  principalType?: string
  principalId?: unknown
  accessToken?: ModelInstance
  model?: ModelClass | string
  modelId?: unknown
  /** The same, as LoopBack has it. */
  id?: unknown
  method?: string
  sharedMethod?: SharedMethod
  accessType?: string
  remotingContext?: unknown
}

function membershipOf (registry: ModelRegistry, asked: Asked): Membership {
  const Model = typeof asked.model === 'string' ? registry.findModel(asked.model) : asked.model
  return new Membership(aclService(registry), callerOf(registry, asked), {
    Model,
    modelId: asked.id ?? asked.modelId,
    method: asked.sharedMethod,
    methodName: asked.method,
    accessType: asked.accessType,
    remotingContext: asked.remotingContext
  })
}

function callerOf (registry: ModelRegistry, { principals, principalType, principalId, accessToken }: Asked): Caller {
  const given = principals ?? (principalType === undefined ? [] : [{ type: principalType, id: principalId }])
  const of = (...types: string[]): { type: string; id: unknown } | undefined =>
    given.find(({ type }) => types.includes(type))
  const user = given.find(({ type }) => type !== 'APP' && type !== 'ROLE' && type !== 'SCOPE')
  return new Caller(userModelsOf(registry), accessToken ?? null, {
    userId: user?.id,
    userType: user?.type,
    appId: of('APP')?.id,
    role: of('ROLE')?.id
  })
}

const statics = {
  /** `Role.isInRole(name, { principalType, principalId, [model, modelId] }, [callback])` */
  isInRole: statically((Role, [role, asked]) =>
    chain(membershipOf(Role.registry, asked as Asked).judges(String(role)), found => found === true)),

  /**
   * `Role.getRoles(context, [{ returnOnlyRoleNames }], [callback])`: names of dynamic and static roles; ids of the
   * static ones, unless only names are wanted.
   */
  getRoles: statically(async ({ registry }, [asked, options]) => {
    const membership = membershipOf(registry, asked as Asked)
    const service = aclService(registry)
    const found: unknown[] = []
    for (const role of new Set([...Object.values(roleNames), ...service.resolvers.keys()])) {
      if (await membership.isIn(role)) found.push(role)
    }
    const names = [...(await service.roles.namesOf(membership.caller))]
    if ((options as { returnOnlyRoleNames?: boolean } | undefined)?.returnOnlyRoleNames === true) {
      return [...new Set([...found, ...names])]
    }
    const Role = registry.getModelByType('Role') as ModelClass
    const rows =
      names.length === 0 ? [] : await findRows(Role.compiled, { where: { name: { inq: names } } }, { notify: false })
    return [...found, ...rows.map(row => row[Role.getIdName() ?? 'id'])]
  }),

  isOwner: statically(({ registry }, [Model, modelId, userId, principalType]) =>
    isOwner(
      (typeof Model === 'string' ? registry.getModel(Model) : Model) as ModelClass,
      modelId,
      new Caller(userModelsOf(registry), null, { userId, userType: principalType })
    )
  ),

  isAuthenticated: statically(({ registry }, [asked]) => callerOf(registry, asked as Asked).isAuthenticated),

  /** `Role.registerResolver(name, (role, context, callback) => …)`; it stands before a static role of the same name. */
  registerResolver (this: ModelClass, name: string, resolver: Resolver): void {
    aclService(this.registry).resolvers.set(name, resolver)
  }
}

/** Those mapped to a role with one principal type, as rows of the model that the type names. */
async function members (role: ModelInstance, type: string, Model: ModelClass | undefined): Promise<unknown[]> {
  const { registry } = compiledOf(role).Model
  const Mapping = registry.getModelByType('RoleMapping') as ModelClass
  const mappings = await findRows(
    Mapping.compiled,
    { where: { roleId: role.id, principalType: type } },
    { notify: false }
  )
  if (Model === undefined || mappings.length === 0) return []
  return await (Model.findByIds as (ids: unknown[]) => Promise<unknown[]>)(mappings.map(mapping => mapping.principalId))
}

const methods = {
  /** `role.users([{ where: { principalType } }], [callback])`: users mapped as USER, or as the model named. */
  users (this: ModelInstance, ...args: unknown[]): unknown {
    const { values: [query], callback } = splitCallback(args)
    const { registry } = compiledOf(this).Model
    const type = (query as { where?: { principalType?: string } } | undefined)?.where?.principalType ?? 'USER'
    return promiseOrCallback(
      () => members(this, type, type === 'USER' ? userModelsOf(registry).only : registry.findModel(type)),
      callback,
      false,
      registry
    )
  },
  applications (this: ModelInstance, ...args: unknown[]): unknown {
    const { registry } = compiledOf(this).Model
    return promiseOrCallback(
      () => members(this, 'APP', registry.getModelByType('Application')),
      splitCallback(args).callback,
      false,
      registry
    )
  },
  roles (this: ModelInstance, ...args: unknown[]): unknown {
    const { Model } = compiledOf(this)
    return promiseOrCallback(() => members(this, 'ROLE', Model), splitCallback(args).callback, false, Model.registry)
  }
}

/** Resolvers of the roles that need no row: `Role.resolvers.$owner('$owner', context, callback)`. */
function builtInResolvers ({ registry }: ModelClass): Record<string, Resolver> {
  const resolver: Resolver = (role, asked, callback) => {
    promiseOrCallback(async () => await membershipOf(registry, asked as Asked).isIn(role), callback, false, registry)
  }
  return Object.fromEntries(Object.values(roleNames).map(name => [name, resolver]))
}

export function setUpRole (Role: ModelClass): void {
  Object.assign(Role, roleNames, statics)
  const resolvers = resolversRecord(aclService(Role.registry).resolvers, builtInResolvers(Role))
  Object.defineProperty(Role, 'resolvers', { value: resolvers, configurable: true })
  Object.assign(Role.prototype, methods)
  const unique = { message: 'already exists', inherited: true }
  ;(Role.validatesUniquenessOf as (property: string, config: object) => void)('name', unique)
  Role.observe('before save', context => {
    if (context.isNewInstance !== true && context.data !== undefined) context.data.modified = new Date()
  })
  observeChanges(Role)
}

/** The principal of a mapping, where it is of the kind asked for; else null. */
const principal = (modelOf: (type: string, registry: ModelRegistry) => ModelClass | undefined) =>
  onInstance(async (mapping, { registry }) => {
    const Model = modelOf(String(mapping.principalType), registry)
    return Model === undefined
      ? null
      : await (Model.findById as (id: unknown) => Promise<unknown>)(mapping.principalId)
  })

const mappingMethods = {
  /** `mapping.user([callback])`: of whatever user model. */
  user: principal((type, registry) => userModelsOf(registry).named(type)),
  application: principal((type, registry) =>
    type === principalTypes.APP ? registry.getModelByType('Application') : undefined),
  childRole: principal((type, registry) =>
    type === principalTypes.ROLE ? registry.getModelByType('Role') : undefined)
}

export function setUpRoleMapping (RoleMapping: ModelClass): void {
  Object.assign(RoleMapping, principalTypes)
  authService(RoleMapping.registry).credentials.listen(endMappings(RoleMapping.registry))
  Object.assign(RoleMapping.prototype, mappingMethods)
  observeChanges(RoleMapping)
}

/** Changes hold with the next request, and are told. */
function observeChanges (Model: ModelClass): void {
  const { registry } = Model
  forgetOnChange(Model, ['after save', 'after delete'], () => {
    const { roles, streams } = aclService(registry)
    roles.clear()
    streams.changed()
  })
  const changed = (event: string) => (context: HookContext): void => {
    const { instance, data } = context
    const { roleId, name, principalType, principalId } = (instance ?? data ?? {}) as Record<string, unknown>
    authService(registry).audit({
      event,
      model: (context.Model as ModelClass).modelName,
      roleId,
      name,
      principalType,
      principalId
    })
  }
  Model.observe('after save', changed('role changed'))
  Model.observe('after delete', changed('role removed'))
}
