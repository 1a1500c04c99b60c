/** `loopback.AccessRequest`: what is asked for, and in the end the permission. */
import type { ModelRegistry } from '@fastback/core'
import { aclNames } from '../models/constants.js'
import { defaultPermissionOf } from '../rules/plan.js'

/** What a rule or a request says; a part that is missing means all. */
export interface AccessScope {
  readonly model?: string | undefined
  readonly property?: string | undefined
  readonly accessType?: string | undefined
  readonly permission?: string | undefined
  readonly methodNames?: readonly string[] | undefined
}

interface Wanted extends AccessScope { readonly registry: ModelRegistry }

type AskedParts = [
  model: string | undefined,
  property: string | undefined,
  accessType: string | undefined,
  permission: string | undefined,
  methodNames: readonly string[] | undefined,
  registry: ModelRegistry
]

const isWanted = (first: Wanted | string | undefined): first is Wanted => typeof first === 'object'

const fromParts = ([model, property, accessType, permission, methodNames, registry]: AskedParts): Wanted =>
  ({ model, property, accessType, permission, methodNames, registry })

/**
 * A request for access, `*` standing for all of a kind.
 *
 * ```js
 * const request = await ACL.checkAccessForContext({ model: 'Note', property: 'find', accessToken })
 * request.isAllowed() // false
 * ```
 */
export class AccessRequest {
  readonly model: string
  readonly property: string
  readonly accessType: string
  permission: string
  readonly methodNames: readonly string[]
  readonly registry: ModelRegistry

  /** What is asked for as one object, or part by part in the order of `Asked`. */
  constructor (...given: [asked: Wanted] | AskedParts) {
    const asked = isWanted(given[0]) ? given[0] : fromParts(given as AskedParts)
    this.model = asked.model ?? aclNames.ALL
    this.property = asked.property ?? aclNames.ALL
    this.accessType = asked.accessType ?? aclNames.ALL
    this.permission = asked.permission ?? aclNames.DEFAULT
    this.methodNames = asked.methodNames ?? []
    this.registry = asked.registry
  }

  isWildcard (): boolean {
    return [this.model, this.property, this.accessType].includes(aclNames.ALL)
  }

  /** Whether a rule is about exactly this. */
  exactlyMatches (rule: AccessScope): boolean {
    return rule.model === this.model && rule.accessType === this.accessType &&
      (rule.property === this.property || this.methodNames.includes(String(rule.property)))
  }

  /** Where no rule said anything: the default given, else the model's, else the application's. */
  settleDefaultPermission (given?: string): void {
    if (this.permission !== aclNames.DEFAULT) return
    const Model = this.registry.findModel(this.model)
    this.permission = given ?? (Model === undefined ? aclNames.ALLOW : defaultPermissionOf(Model))
  }

  isAllowed (): boolean {
    return this.permission !== aclNames.DENY
  }
}
