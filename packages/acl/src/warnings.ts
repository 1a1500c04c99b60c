/** What an application should know about its rules, said once when it starts. */
import type { AclDefinition, ModelClass, ModelRegistry } from '@fastback/core'
import {
  extendsModel, hasOwnFormOfRules, isPublic, nearest, relationsOf, rulesOf, strictnessOf
} from '@fastback/core/remote'
import { UnreadRulesError, VoidRuleError } from './errors.js'
import { includeAccessOf } from './guard/related-access.js'
import { isNobodys, missingMethods, namedRoles, ruleNamesOf } from './rules/names.js'
import { enforcesRows, namesRows, readTenant, tenantOf } from './rows/narrowing.js'
import { replacedCheckOf } from './rules/own-check.js'
import { defaultPermissionOf } from './rules/plan.js'
import { isExecuteForAll, ruleOf } from './rules/rule.js'
import { voidParts } from './rules/void.js'

/** Models whose rows decide about access or identity. */
const guarded = ['AccessToken', 'ACL', 'Role', 'RoleMapping', 'Application', 'Scope']

/**
 * The name of the built-in model with rules of its own that a model is, or extends (security.md, S-63); undefined for
 * others.
 *
 * ```js
 * builtinGuarded(registry.getModel('AccessToken')) // 'AccessToken'
 * ```
 */
export const builtinGuarded = (Model: ModelClass): string | undefined =>
  guarded.find(name => extendsModel(Model, name))

const published = (registry: ModelRegistry): ModelClass[] =>
  Object.values(registry.models).filter(Model => isPublic(Model) === true)
const isGuarded = (Model: ModelClass): boolean => builtinGuarded(Model) !== undefined
const named = (models: readonly ModelClass[]): string => models.map(({ modelName }) => `"${modelName}"`).join(', ')

/**
 * Rules in a form of the application's own mean something to its own `Model.checkAccess` only (security.md, S-84).
 * @throws FBK_ACL_UNREAD_RULES naming the models
 */
export function mustReadRules (registry: ModelRegistry): void {
  const unread = Object.values(registry.models).filter(Model =>
    (Model.dataSource !== null || isPublic(Model) === true) &&
    hasOwnFormOfRules(Model) &&
    replacedCheckOf(Model) === undefined)
  if (unread.length > 0) throw new UnreadRulesError(named(unread))
}

/**
 * One line for all models that should not be open (security.md, S-63), and one for each row that means something else
 * than in LoopBack 3.
 */
export function warnOfRules (registry: ModelRegistry): void {
  const { log } = registry
  const open = published(registry).filter(
    Model => isGuarded(Model) && rulesOf(Model).length === 0 && defaultPermissionOf(Model) !== 'DENY'
  )
  if (open.length > 0) {
    log.warn(
      { models: open.map(({ modelName }) => modelName) },
      `Published without any access rule: ${named(open)}. Everybody may read and change them, and so act as any user. Deny $everyone, or set "public" to false`
    )
  }
  if (registry.settings.executeAllowsAll === true) return
  for (const Model of Object.values(registry.models)) {
    if (Model.dataSource === null && isPublic(Model) !== true) continue
    for (const acl of rulesOf(Model).filter(each => isExecuteForAll(ruleOf(each, true)))) {
      log.warn(
        { model: Model.modelName, acl },
        'A row that allows EXECUTE for all methods opens methods of that type only; set "executeAllowsAll" for the meaning of LoopBack 3'
      )
    }
  }
}

/**
 * For applications that never asked for access control: rules that nobody looks at, and models that should not be open.
 */
export function warnOfNoControl (registry: ModelRegistry): void {
  const concerned = published(registry).filter(Model =>
    isGuarded(Model) || rulesOf(Model).length > 0 || hasOwnFormOfRules(Model))
  if (concerned.length === 0) return
  registry.log.warn(
    { models: concerned.map(({ modelName }) => modelName) },
    `Access control is off (enableAuth was not called): the rules of ${named(concerned)} hold nobody back, and everybody may read and change these models`
  )
}

/**
 * Relations of published models through which include shows rows that the related model's own rules would refuse to
 * some. The default of LoopBack's folders (`relatedAccess: "parent"`); said once, with all of them.
 */
export function warnOfIncludes (registry: ModelRegistry): void {
  if (includeAccessOf(registry.settings) !== undefined) return
  const passed = published(registry).flatMap(Model => [...relationsOf(Model).values()].filter(relation => {
    const target =
      relation.embedded || relation.definition.options?.disableInclude === true ? undefined : relation.target()
    return (
      target !== undefined &&
      includeAccessOf(target.settings) === undefined &&
      rulesOf(target).some(({ permission }) => permission === 'DENY')
    )
  }).map(relation => `${Model.modelName}.${relation.name}`))
  if (passed.length > 0) {
    registry.log.warn(
      { relations: passed },
      'Include through these relations shows rows whatever the rules of the related model say; set "relatedAccess" to "related" to have them asked, by relation routes as well, or to "parent" to leave it (the older "includeAccess" is about include alone)'
    )
  }
}

/**
 * Rules for roles that nobody can be in (`$everyon`), rules that nobody can read, and those for methods that there are
 * not: a row that was to deny leaves open what was meant. Said once for each row, with the name that is near.
 * @throws FBK_ACL_VOID_RULE where definitions are strict (security.md, S-103)
 */
export function warnOfNames (registry: ModelRegistry): void {
  const strictness = strictnessOf(registry.settings.modelDefinitions)
  const tell = (fields: object, says: string): void => {
    if (strictness === 'strict') throw new VoidRuleError(says)
    registry.log.warn(fields, says)
  }
  for (const [acl, models] of rowsOf(registry)) {
    const rule = ruleOf(acl, true)
    const { principalType, principalId, methods = [] } = rule
    const [{ modelName }] = models as [ModelClass]
    const fields = { model: modelName, acl }
    for (const { says } of voidParts(registry, rule, models[0])) tell(fields, `A rule of "${modelName}": ${says}`)
    if (acl.principalId === undefined) {
      registry.log.warn(fields, `A rule of "${modelName}" has no "principalId", so that it is for nobody: "$everyone" is all.`)
    } else if (principalType === 'ROLE' && principalId.startsWith('$') && isNobodys(registry, principalId)) {
      const meant = nearest(principalId, namedRoles(registry))
      registry.log.warn(fields, `A rule of "${modelName}" is for the role "${principalId}", which nobody can be in.${meant}`)
    }
    for (const method of missingMethods(models, methods)) {
      const meant = nearest(method, models.flatMap(ruleNamesOf))
      if (meant === '' && strictness === 'open') continue
      tell(fields, `A rule of "${modelName}" is for the method "${method}", which there is not.${meant}`)
    }
  }
}

/**
 * Settings `tenant` that nobody can read leave no rows; rules that are not enforced hold nobody back.
 * @throws FBK_ACL_VOID_RULE where definitions are strict
 */
export function warnOfRows (registry: ModelRegistry): void {
  const strictness = strictnessOf(registry.settings.modelDefinitions)
  for (const Model of Object.values(registry.models)) {
    if (Model.dataSource === null) continue
    const { modelName } = Model
    for (const { says } of readTenant(Model)?.faults ?? []) {
      const sentence = `The tenant of "${modelName}": ${says}`
      if (strictness === 'strict') throw new VoidRuleError(sentence)
      registry.log.warn({ model: modelName }, `${sentence} Nobody gets any rows.`)
    }
  }
  const tried = Object.values(registry.models).filter(Model => !enforcesRows(Model) && Model.dataSource !== null &&
    (tenantOf(Model) !== undefined || rulesOf(Model).some(namesRows)))
  if (tried.length > 0) {
    registry.log.warn({ models: tried.map(({ modelName }) => modelName) },
      `What the rules of ${named(tried)} say of rows and properties is only tried ("enforceRows": false): it holds nobody back`)
  }
}

/** Each row, where it was written, with the models in which it counts: those that extend a model have its rows. */
const rowsOf = (registry: ModelRegistry): Array<readonly [AclDefinition, ModelClass[]]> =>
  Object.values(registry.models).flatMap(Model => {
    const inherited = new Set((Model.base === undefined ? [] : rulesOf(Model.base)).map(acl => JSON.stringify(acl)))
    return rulesOf(Model)
      .filter(acl => !inherited.has(JSON.stringify(acl)))
      .map(acl => [acl, [Model, ...registry.modelsExtending(Model)]] as const)
  })
