/** What an application should know about its rules, said once when it starts. */
import type { AclDefinition, ModelClass, ModelRegistry } from '@fastback/core'
import { isExecuteForAll, ruleOf } from './rules/rule.js'

/** Models whose rows decide about access or identity. */
const guarded = ['AccessToken', 'ACL', 'Role', 'RoleMapping', 'Application', 'Scope']

/** Which of these a model is, or extends (security.md, S-63). */
export const builtinGuarded = (Model: ModelClass): string | undefined => guarded.find(name => Model.state.chain().some(state => state.own.name === name))

export function warnOfRules (registry: ModelRegistry): void {
  const { log } = registry
  for (const Model of Object.values(registry.models)) {
    const acls = (Model.settings.acls ?? []) as readonly AclDefinition[]
    if (Model.dataSource === null && Model.state.isPublic !== true) continue
    if (builtinGuarded(Model) !== undefined && Model.state.isPublic === true && acls.length === 0) {
      log.warn({ model: Model.modelName }, `The model "${Model.modelName}" is published without any access rule: everybody may read and change it`)
    }
    if (registry.settings.executeAllowsAll === true) continue
    for (const acl of acls.filter(each => isExecuteForAll(ruleOf(each, true)))) {
      log.warn({ model: Model.modelName, acl }, 'A row that allows EXECUTE for all methods opens methods of that type only; set "executeAllowsAll" for the meaning of LoopBack 3')
    }
  }
}

/**
 * Relations of published models through which include shows rows that the related model's own rules would refuse to some. The default of LoopBack's folders
 * (`includeAccess: "parent"`); said once, with all of them.
 */
export function warnOfIncludes (registry: ModelRegistry): void {
  if (registry.settings.includeAccess !== undefined) return
  const passed = Object.values(registry.models).filter(Model => Model.state.isPublic === true).flatMap(Model => [...Model.state.relations.values()].filter(relation => {
    const target = relation.embedded || relation.definition.options?.disableInclude === true ? undefined : relation.target()
    return target !== undefined && target.settings.includeAccess === undefined && restricts(target.settings.acls as readonly AclDefinition[] | undefined)
  }).map(relation => `${Model.modelName}.${relation.name}`))
  if (passed.length > 0) {
    registry.log.warn({ relations: passed }, 'Include through these relations shows rows whatever the rules of the related model say; set "includeAccess" to "related" to have them asked, or to "parent" to leave it')
  }
}

const restricts = (acls: readonly AclDefinition[] | undefined): boolean => (acls ?? []).some(({ permission }) => permission === 'DENY')
