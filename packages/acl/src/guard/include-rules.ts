/**
 * What include may show (behaviour.md, B-5.15 and B-15.20). A rule that names `__get__relation` and refuses the
 * relation's own route refuses include as well, at every level. With the setting `relatedAccess: "related"`, or
 * `includeAccess`, the rules of the related model count, too: as for `findById` of each row.
 */
import type { UserModels } from '@fastback/auth'
import type {
  IncludeGuard,
  MaybePromise,
  ModelClass,
  ModelInstance,
  ModelRegistry,
  Relation,
  Row
} from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { relationsOf, rulesOf } from '@fastback/core/remote'
import { Caller } from '../caller.js'
import { refusal } from '../errors.js'
import { Membership } from '../membership.js'
import { dependsOnApplication } from '../rules/depends-on-application.js'
import { decide, isAllowed } from '../rules/decide.js'
import type { Rule } from '../rules/rule.js'
import type { Decision } from '../rules/decision.js'
import { MethodPlan } from '../rules/method-plan.js'
import type { AclService } from '../service.js'
import { JudgedRows } from './judged-rows.js'
import { Reach } from './reach.js'
import { RightPlans } from './request-rights.js'
import { checksIncluded } from './related-access.js'

/**
 * Whether a row chooses the model that a relation leads to: the polymorphic belongsTo. The rules of that model are
 * asked whatever `includeAccess` says, as whoever wrote the row may be the client (S-80).
 */
export const isChosenByRow = (relation: Relation): boolean =>
  relation.type === 'belongsTo' && relation.target() === undefined

const isOfRelation = (name: unknown): boolean => typeof name === 'string' && name.startsWith('__get__')

/** The rules of an application; the same for all requests. */
export class IncludeRules {
  readonly #plans = new Map<string, MethodPlan>()
  /** Those that single rows are judged by (`row-rules.ts`). */
  readonly rowPlans = new Map<string, MethodPlan>()
  /** Those of rights that are no methods. */
  readonly rights: RightPlans
  /** What tokens must have for the routes of models. */
  readonly reach: Reach
  #version: object | undefined
  #exist = false
  #chosen: boolean | undefined
  #nests: boolean | undefined

  constructor (readonly registry: ModelRegistry, readonly service: AclService) {
    this.rights = new RightPlans(service)
    this.reach = new Reach(registry)
  }

  /** Whether data of any row may carry rows of relations, which are judged by the rules of their own models. */
  get nests (): boolean {
    return (this.#nests ??= Object.values(this.registry.models).some(Model => Model.compiled.nests !== undefined))
  }

  /** Whether anything restricts include at all: a rule, or a relation that the row itself leads. */
  get exist (): boolean {
    return this.restrict || (this.#chosen ??= Object.values(this.registry.models).some(hasChosen))
  }

  /** Whether any rule restricts include. Looked at again when stored rules change. */
  get restrict (): boolean {
    if (this.#version !== this.service.rules.version) {
      this.#version = this.service.rules.version
      const models = Object.values(this.registry.models)
      this.#chosen = undefined
      this.#nests = undefined
      const declared = models.flatMap(Model => rulesOf(Model))
      this.#exist = models.some(checksIncluded) ||
        declared.some(({ property }) => [property].flat().some(isOfRelation)) ||
        this.service.rules.known.some(({ methods }) => methods?.some(isOfRelation))
    }
    return this.#exist
  }

  planOf (Model: ModelClass, method: string): MethodPlan {
    const key = `${Model.modelName}.${method}`
    const known = this.#plans.get(key)
    if (known !== undefined) return known
    const made = new MethodPlan(this.service, Model, { names: [method], accessType: 'READ' })
    this.#plans.set(key, made)
    return made
  }
}

const hasChosen = (Model: ModelClass): boolean => [...relationsOf(Model).values()].some(isChosenByRow)

/** The rules with regard to one caller. */
export class RequestIncludes implements IncludeGuard {
  #caller: Caller | undefined
  readonly #judged: JudgedRows

  /**
   * @param listed the relation whose own list is shown row by row (`related-rules.ts`)
   * @param reach what the token must have for routes of other models
   */
  constructor (
    readonly rules: IncludeRules, readonly users: UserModels, readonly token: ModelInstance | null,
    readonly listed?: Relation, readonly reach: Reach = rules.reach
  ) {
    this.#judged = new JudgedRows(rules.service)
  }

  /** Most requests include nothing. */
  get #asking (): Caller {
    return (this.#caller ??= new Caller(this.users, this.token))
  }

  anew (): IncludeGuard {
    return new RequestIncludes(this.rules, this.users, this.token, this.listed, this.reach)
  }

  concerns (relation: Relation): boolean {
    return this.rules.restrict || isChosenByRow(relation)
  }

  /**
   * @throws RequestError the refusal of the model that has the relation, or of the related one when no row of it could
   * be shown
   */
  check (relation: Relation, rows: readonly Row[]): MaybePromise<void> {
    const target = relation.target()
    return chain(this.#checkNamed(relation, rows), () =>
      target === undefined || relation.embedded || !checksIncluded(target)
        ? undefined
        : chain(this.reach.mustRead(target, this.token), () => this.#checkRelated(target)))
  }

  #checkNamed (relation: Relation, rows: readonly Row[]): MaybePromise<void> {
    const method = `__get__${relation.name}`
    return chain(this.rules.planOf(relation.model, method).current(), plan => {
      if (!plan.rules.some(rule => rule.methods !== undefined && mayRefuse(rule))) return
      return chain(decide(plan, this.#membership(relation.model, method, rows)), ({ permission, rule, stepUp }) => {
        if (!isAllowed(permission) && rule?.methods !== undefined) {
          throw refusal(relation.model, this.token !== null, undefined, stepUp)
        }
      })
    })
  }

  /**
   * A refusal that no row could change: the owner of all would be refused, and no code of the application looks at the
   * row.
   */
  #checkRelated (target: ModelClass): MaybePromise<void> {
    return chain(this.rules.planOf(target, 'findById').current(), plan => {
      if (dependsOnApplication(plan, this.rules.service)) return
      return chain(decide(plan, this.#membership(target, 'findById', [])), ({ permission, stepUp }) => {
        if (!isAllowed(permission)) throw refusal(target, this.token !== null, undefined, stepUp)
      })
    })
  }

  /**
   * Nobody finds out by conditions what they may not read: a rule that lets some read their own rows, or keeps some
   * from them, is asked both for a caller who owns all rows and for one who owns none.
   * @throws RequestError as `check`
   */
  async checkCondition (relation: Relation): Promise<void> {
    const method = `__get__${relation.name}`
    await this.#mustReadAll(relation.model, method, ({ rule }) => rule?.methods !== undefined)
    if (relation.embedded) return
    const named = relation.target()
    for (const { target } of relation.joins()) {
      if (checksIncluded(target)) await this.reach.mustRead(target, this.token)
      if (named === undefined || checksIncluded(target)) await this.#mustReadAll(target, 'findById')
    }
  }

  async #mustReadAll (
    Model: ModelClass, method: string, counts: (decision: Decision) => boolean = () => true
  ): Promise<void> {
    const plan = await this.rules.planOf(Model, method).current()
    for (const rows of [[], undefined]) {
      const decision = await decide(plan, this.#membership(Model, method, rows))
      if (!isAllowed(decision.permission) && counts(decision)) {
        throw refusal(Model, this.token !== null, undefined, decision.stepUp)
      }
    }
  }

  filter (relation: Relation): ReturnType<IncludeGuard['filter']> {
    const target = relation.target()
    if (target !== undefined && (!checksIncluded(target) || this.#isNarrowed(target))) return undefined
    return (related, Model) => {
      if (target !== undefined) return !checksIncluded(Model) || this.#mayFind(related, Model)
      const isOpen = !checksIncluded(Model) || this.reach.reads(Model, this.token)
      return chain(isOpen, isReached => isReached && this.#mayFind(related, Model))
    }
  }

  /** Whether all rows that are read are rows that may be: operations narrow by rules about rows themselves. */
  #isNarrowed (target: ModelClass): boolean {
    return this.rules.service.rows.hasRules(target)
  }

  lists (relation: Relation): ReturnType<IncludeGuard['filter']> {
    return relation === this.listed ? (related, Model) => this.#mayFind(related, Model) : undefined
  }

  #mayFind (row: Row, Model: ModelClass): MaybePromise<boolean> {
    return chain(this.rules.planOf(Model, 'findById').current(), plan =>
      this.#judged.allows(plan, this.#membership(Model, 'findById', [row]), row))
  }

  #membership (Model: ModelClass, methodName: string, rows: readonly Row[] | undefined): Membership {
    const modelId = rows?.length === 1 ? rows[0]?.[Model.getIdName() ?? 'id'] : undefined
    return new Membership(this.rules.service, this.#asking, { Model, modelId, methodName, accessType: 'READ' }, rows)
  }
}

/** One that denies, or that lets in only those who logged in as it asks. */
const mayRefuse = ({ permission, assurance }: Rule): boolean => permission === 'DENY' || assurance !== undefined
