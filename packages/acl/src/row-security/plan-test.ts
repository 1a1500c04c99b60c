/**
 * The rules of a method as a test of a row and a caller: what `decideRows` and `bindRule` come to, for everybody at
 * once. The heaviest rules decide; those of one rank that allow add up, and those that deny take away.
 */
import { isOwn } from '@fastback/auth/service'
import type { UserModel } from '@fastback/auth'
import type { ModelClass, PolicyTest } from '@fastback/core'
import { callerSettings } from '@fastback/core/connector'
import type { Caller } from '../caller.js'
import { ownRows } from '../roles/own-rows.js'
import { readTemplate } from '../rows/template.js'
import type { RowsPart } from '../rows/narrowing.js'
import type { Plan } from '../rules/compiled-plan.js'
import { rankOf } from '../rules/precedence.js'
import { takesRows, type Rule } from '../rules/rule.js'
import type { AclService } from '../service.js'
import { allOf, always, anyOf, never, notOf, Unsayable } from './tests.js'
import { testOf } from './template-test.js'

const { userId, userModel, clientId } = callerSettings

/** How a method asks about rows. */
export interface TestedAction {
  /** Whether one row is at hand, which can have an owner. */
  readonly isAboutOneRow: boolean
  /** `check`: what rows must be after a write. Whose they were before is not known then. */
  readonly part: 'rows' | 'check'
}

export class PlanTests {
  constructor (readonly service: AclService, readonly Model: ModelClass) {}

  /** @throws Unsayable */
  of (plan: Plan, asked: TestedAction): PolicyTest {
    if (plan.check !== undefined) throw new Unsayable('has a "checkAccess" of the application\'s own')
    const ranks = new Map<number, Rule[]>()
    for (const rule of plan.rules) {
      const rank = rankOf(rule)
      ranks.set(rank, [...ranks.get(rank) ?? [], rule])
    }
    let below: PolicyTest = plan.otherwise === 'DENY' ? never : always
    for (const rules of [...ranks.values()].reverse()) below = this.#ofRank(rules, asked, below)
    return below
  }

  /** The tenant's part, or any other that holds for everybody. */
  part (part: RowsPart, isAsked = true): PolicyTest {
    return part === 'own' ? this.#own() : testOf(this.Model, part.node, isAsked)
  }

  #ofRank (rules: readonly Rule[], asked: TestedAction, below: PolicyTest): PolicyTest {
    const giving = rules.filter(({ permission }) => permission !== 'DENY')
    const refused = rules.filter(rule => rule.permission === 'DENY' && !takesRows(rule))
      .map(rule => this.#fits(rule, asked, false))
    const taken = rules.filter(takesRows).map(rule => allOf([this.#fits(rule, asked, false), this.#rows(rule, 'rows', false)]))
    const given = giving.map(rule => allOf([this.#fits(rule, asked, true), this.#rows(rule, asked.part, true)]))
    const fitting = anyOf(giving.map(rule => this.#fits(rule, asked, false)))
    return allOf([notOf(anyOf([...refused, ...taken])), anyOf([...given, allOf([notOf(fitting), below])])])
  }

  #rows ({ narrowing }: Rule, part: TestedAction['part'], isAsked: boolean): PolicyTest {
    const said = part === 'check' ? narrowing?.check ?? narrowing?.rows : narrowing?.rows
    return said === undefined ? always : this.part(said, isAsked)
  }

  /**
   * Whether the caller is whom a rule is for.
   * @param isGiving where that cannot be known: true for what gives, so that a policy is never less than the rules
   */
  #fits (rule: Rule, asked: TestedAction, isGiving: boolean): PolicyTest {
    const { principalType, principalId } = rule
    if (principalType === 'ROLE') return this.#isIn(principalId, asked, isGiving)
    if (principalType === 'APP') return { kind: 'setting', name: clientId, is: principalId }
    if (principalType === 'SCOPE') throw new Unsayable('has a rule for a scope of tokens')
    const { users } = this.service
    const models = users.attached.filter(User => users.principalTypes(User).includes(principalType))
    return allOf([anyOf(models.map(User => this.#isOf(User))), { kind: 'setting', name: userId, is: principalId }])
  }

  #isIn (role: string, { isAboutOneRow, part }: TestedAction, isGiving: boolean): PolicyTest {
    const { resolvers, role: Role } = this.service
    if (resolvers.has(role)) throw new Unsayable(`has a rule for the role "${role}", which code of the application resolves`)
    if (isOwn(Role?.isInRole)) throw new Unsayable('has rules for roles, and "Role.isInRole" is the application\'s own')
    switch (role) {
      case '$authenticated': case '$unauthenticated':
        if (isOwn(Role?.isAuthenticated)) throw new Unsayable('asks "Role.isAuthenticated", which is the application\'s own')
        return { kind: 'role', name: role }
      case '$owner':
        if (isOwn(Role?.isOwner)) throw new Unsayable('asks "Role.isOwner", which is the application\'s own')
        if (!isAboutOneRow) return never
        return part === 'rows' ? this.#own() : isGiving ? notOf(lacksUser) : never
      case '$related': return never
      case '$everyone': return always
      default: return { kind: 'role', name: role }
    }
  }

  /** The rows that the caller owns, as `ownRows` says it of one caller. */
  #own (): PolicyTest {
    const { Model, service: { users } } = this
    return allOf([notOf(lacksUser), anyOf(users.attached.map(User => {
      const where = ownRows(Model, { userId: '$user.id', userModel: User } as unknown as Caller)
      if (where === undefined) return never
      return allOf([this.#isOf(User), testOf(Model, readTemplate(Model, where).template.node, true)])
    }))])
  }

  /** Whether the caller is a user of a model; where there is one only, nobody need say so. */
  #isOf ({ modelName }: UserModel): PolicyTest {
    const isNamed: PolicyTest = { kind: 'setting', name: userModel, is: modelName }
    return this.service.users.attached.length > 1
      ? isNamed
      : anyOf([isNamed, { kind: 'setting', name: userModel, is: '' }])
  }
}

const lacksUser: PolicyTest = { kind: 'missing', value: { of: 'setting', name: userId }, isList: false }
