/** Functions of the model ACL that answer questions about access (`ACL.checkPermission(…)`). */
import type { ModelClass, ModelInstance } from '@fastback/core'
import { builtin, userModelsOf } from '@fastback/auth/service'
import { extendsModel, rulesOf } from '@fastback/core/remote'
import { invalidPrincipalType } from '../errors.js'
import { explainAccess } from '../explain.js'
import { aclNames, principalTypes } from '../models/constants.js'
import { statically } from '../models/statically.js'
import { AccessContext, type AccessContextParts } from './access-context.js'
import { AccessRequest, type AccessScope } from './access-request.js'
import { matchingScore, resolvePermission, type AclRow } from './matching-score.js'

const { ALL, ALLOW, DENY, DEFAULT, REPLICATE, WRITE, EXECUTE } = aclNames

interface Finder {
  find (filter: object): Promise<ModelInstance[]>
  findOne (filter: object): Promise<ModelInstance | null>
}
interface RoleModel { isInRole (role: string, context: AccessContext): Promise<boolean> }

const finderOf = (Model: ModelClass | undefined): Finder => Model as unknown as Finder

const requestOf = (ACL: ModelClass, asked: AccessScope): AccessRequest =>
  asked instanceof AccessRequest ? asked : new AccessRequest({ ...asked, registry: ACL.registry })

/** Access types whose rules concern one. */
const accessTypes = (asked: string): object | undefined =>
  asked === ALL ? undefined : { inq: [asked, ALL, EXECUTE, ...asked === REPLICATE ? [WRITE] : []] }

/** Conditions without those that are undefined: these would be about rows that lack the property. */
const given = (where: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined))

/** Rules that definitions have for a model and one of its properties, methods or relations. */
function getStaticACLs (this: ModelClass, modelName: string, property: string): ModelInstance[] {
  const Model = this.registry.findModel(modelName)
  if (Model === undefined) return []
  const ofModel = rulesOf(Model).flatMap(acl => {
    const names = [acl.property ?? ALL].flat()
    const isNamed = names.includes(property) || names.includes(`prototype.${property}`)
    const name = isNamed ? property : names.includes(ALL) ? ALL : undefined
    return name === undefined ? [] : [{ ...acl, property: name, accessType: acl.accessType ?? ALL }]
  })
  return [...ofModel, ...rulesOn(Model, property)].map(acl => new this({ ...acl, model: modelName }))
}

/** A method or a relation may have rules of its own; those of a property's definition are among the model's. */
function rulesOn (Model: ModelClass, property: string): object[] {
  const ofInstances = (Model.prototype as Record<string, unknown>)[property]
  const holders = [Model[property], ofInstances]
  const acls = holders.map(holder => (holder as { acls?: object[] } | undefined)?.acls).find(Array.isArray)
  return (acls ?? []).map((acl: object) => ({ ...acl, property }))
}

type PermissionQuestion = [type: string, id: unknown, model: string, property?: string, accessType?: string]

const checkPermission = statically(async (ACL, asked) => {
  const [principalType, principalId, model, property = ALL, accessType = ALL] = asked as PermissionQuestion
  const request = requestOf(ACL, { model, property, accessType })
  const declared = getStaticACLs.call(ACL, model, property)
  const resolved = resolvePermission(declared as AclRow[], request)
  if (resolved.permission === DENY) return resolved
  const stored = await finderOf(ACL).find({
    where: given({
      principalType,
      principalId: principalId === undefined || principalId === null ? undefined : String(principalId),
      model,
      property: property === ALL ? undefined : { inq: [property, ALL] },
      accessType: accessTypes(accessType)
    })
  })
  return resolvePermission([...declared, ...stored] as AclRow[], request)
})

/** Who is asked about: by principal, by token or by the method that is called. */
const checkAccessForContext = statically(async (ACL, [asked]) => {
  const context = asked instanceof AccessContext
    ? asked
    : new AccessContext({ ...asked as AccessContextParts, registry: ACL.registry })
  const { model, modelName, property, accessType, methodNames } = context
  const request = requestOf(ACL, { model: modelName, property, accessType, methodNames })
  if (!context.isScopeAllowed()) {
    request.permission = DENY
    return request
  }
  const stored = await finderOf(ACL).find({
    where: given({
      model: { inq: [modelName, ALL] },
      property: property === ALL ? undefined : { inq: [...new Set([property, ...methodNames, ALL])] },
      accessType: accessTypes(accessType)
    })
  })
  // By what the class has: an application may have functions of its own there (S-96).
  const own = ACL as unknown as typeof aclStatics
  const declared = model === undefined ? [] : own.getStaticACLs.call(ACL, model.modelName, property)
  const rules = [...stored, ...declared] as AclRow[]
  const Role = ACL.registry.getModelByType('Role') as unknown as RoleModel
  const fitting: AclRow[] = []
  const roles: Record<string, true> = {}
  for (const rule of rules) {
    if (!await concernsCaller(rule, context, Role)) continue
    fitting.push(rule)
    if (rule.principalType === principalTypes.ROLE && rule.permission !== DENY) roles[String(rule.principalId)] = true
  }
  const resolved = own.resolvePermission.call(ACL, fitting, request)
  tellRoles(context, resolved.isAllowed() ? roles : {})
  return resolved
})

async function concernsCaller (rule: AclRow, context: AccessContext, Role: RoleModel): Promise<boolean> {
  const { principalType, principalId } = rule
  const isOne = context.principals.some(({ type, id }) => type === principalType && String(id) === String(principalId))
  return isOne || (principalType === principalTypes.ROLE && await Role.isInRole(String(principalId), context))
}

/** Methods that take `options` find the roles that let their caller in. */
function tellRoles ({ remotingContext }: AccessContext, authorizedRoles: object): void {
  const options = (remotingContext as { args?: { options?: unknown } } | undefined)?.args?.options
  if (options !== null && typeof options === 'object') Object.assign(options, { authorizedRoles })
}

/** Whether the token's owner may call the method: as a request would be answered. */
const checkAccessForToken = statically(async ({ registry }, [token, model, id, method]) => {
  const { allowed } = await explainAccess(registry, {
    model: typeof model === 'string' ? model : (model as ModelClass).modelName,
    method: String(method),
    id,
    token: (token ?? null) as ModelInstance | null
  })
  return allowed
})

/** The names beside the id by which principals of a kind are known. */
const namesOfUsers = ['username', 'email']

const resolvePrincipal = statically(async ({ registry }, [type = principalTypes.ROLE, id]) => {
  const [Model, names] = principalModel(registry, type as string)
  if (Model === undefined) throw invalidPrincipalType(type)
  const idName = Model.getIdName() ?? 'id'
  return await finderOf(Model).findOne({ where: { or: [...names, idName].map(name => ({ [name]: id })) } })
})

function principalModel (registry: ModelClass['registry'], type: string): [ModelClass | undefined, string[]] {
  switch (type) {
    case principalTypes.ROLE: return [registry.getModelByType('Role'), ['name']]
    case principalTypes.USER: return [userModelsOf(registry).only ?? registry.getModelByType('User'), namesOfUsers]
    case principalTypes.APP: return [registry.getModelByType('Application'), ['name', 'email']]
  }
  const Model = registry.findModel(type)
  return [Model !== undefined && extendsModel(Model, 'User') ? Model : undefined, namesOfUsers]
}

interface Resolving { resolvePrincipal (type: unknown, id: unknown): Promise<ModelInstance | null> }

/** Whether a mapping puts the principal in a role; both may be named instead of by id. */
const isMappedToRole = statically(async (ACL, [principalType = principalTypes.ROLE, principalId, role]) => {
  const resolving = ACL as unknown as Resolving
  const principal = await resolving.resolvePrincipal(principalType, principalId)
  const found = await resolving.resolvePrincipal(principalTypes.ROLE, role)
  if (found === null) return false
  const Mapping = finderOf(ACL.registry.getModelByType('RoleMapping'))
  const where = { roleId: found.id, principalType, principalId: String(principal?.id ?? principalId) }
  return await Mapping.findOne({ where }) !== null
})

export const aclStatics = {
  getStaticACLs: builtin(getStaticACLs),
  checkPermission,
  checkAccessForContext,
  checkAccessForToken,
  resolvePrincipal,
  isMappedToRole,
  getMatchingScore: matchingScore,
  resolvePermission: builtin(function (this: ModelClass, rules: readonly AclRow[], asked: AccessScope) {
    return resolvePermission(rules, requestOf(this, asked))
  }),
  isAllowed: (permission: string, otherwise: string = ALLOW) =>
    (permission === DEFAULT ? otherwise : permission) !== DENY
}

export const aclMethods = {
  score (this: AclRow, asked: AccessScope): number { return matchingScore(this, asked) },
  isAllowed (this: AclRow, otherwise?: string): boolean {
    return aclStatics.isAllowed(this.permission ?? DEFAULT, otherwise)
  }
}
