/** Who may do what, where the folder says nothing (PU-28). Without access control rules mean nothing. */
import type { AclDefinition, ModelClass } from '@fastback/core'
import { hasOwnFormOfRules, rulesOf, rulesToExtend } from '@fastback/core/remote'

const rule = (principalId: string, permission: 'ALLOW' | 'DENY', property?: string | string[]): AclDefinition =>
  ({ principalType: 'ROLE', principalId, permission, ...(property === undefined ? {} : { property }) })

/** What an owner does with the row of a device. */
const ofOwner = [
  'findById', 'exists', 'replaceById', 'deleteById', 'prototype.patchAttributes', 'updateAttributes', 'patchAttributes'
]

/** Rows of devices are their users'; anybody may register a device. */
export function guardInstallations (Installation: ModelClass): void {
  if (hasOwnFormOfRules(Installation) || rulesOf(Installation).length > 0) return
  rulesToExtend(Installation, `model "${Installation.modelName}"`)
    .push(rule('$everyone', 'DENY'), rule('$everyone', 'ALLOW', 'create'), rule('$owner', 'ALLOW', ofOwner))
}

/** What was sent to others is nobody's to read. */
export function guardClosed (Model: ModelClass): void {
  if (hasOwnFormOfRules(Model) || rulesOf(Model).length > 0) return
  rulesToExtend(Model, `model "${Model.modelName}"`).push(rule('$everyone', 'DENY'))
}

/** Nobody sends before the folder says who. */
export function guardSending (Push: ModelClass): void {
  if (hasOwnFormOfRules(Push) || rulesOf(Push).some(speaksOfSending)) return
  rulesToExtend(Push, `model "${Push.modelName}"`).push(rule('$everyone', 'DENY', 'notifyByQuery'))
}

const speaksOfSending = ({ property, accessType }: AclDefinition): boolean => {
  const names = property === undefined ? ['*'] : [property].flat()
  return (names.includes('*') || names.includes('notifyByQuery')) &&
    (accessType === undefined || accessType === '*' || accessType === 'EXECUTE')
}
