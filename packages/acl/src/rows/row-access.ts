/** Which models of an application have rules about rows or properties, and what these come to for a caller. */
import { RecentCache } from '@fastback/auth/service'
import type { CompiledModel, MaybePromise, ModelClass, ModelRegistry, RowRule } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { rulesOf, sharedMethodsOf } from '@fastback/core/remote'
import type { Caller } from '../caller.js'
import type { RoleStore } from '../roles/role-store.js'
import type { StoredRules } from '../rules/stored-rules.js'
import { bindRule, type RowSource } from './bound-rule.js'
import { factsOf, UserRows, valuesOf, type CallerFacts } from './caller-values.js'
import { namedVariables } from './caller-variables.js'
import { enforcesRows, namesRows, readTenant, tenantOf, type Narrowing } from './narrowing.js'
import { namedIn } from './named-properties.js'
import type { FittingRule } from './row-decision.js'
import type { Variable } from './variables.js'

interface Known {
  readonly acls: unknown
  readonly count: number | undefined
  readonly version: object
  readonly hasRules: boolean
  readonly concerns: boolean
  /** What conditions on its rows name; found when first asked for. */
  named?: readonly string[]
}

interface Kept {
  readonly parts: readonly unknown[]
  readonly rule: RowRule
}

/** Rules that are kept for one caller and model: of several actions, and of rules that have changed since. */
const mostKept = 8

export class RowAccess {
  readonly users: UserRows
  #known = new WeakMap<ModelClass, Known>()
  #tenants = new WeakMap<CompiledModel, ReturnType<typeof readTenant> | null>()
  readonly #bound: RecentCache<Kept[]>
  #version: object | undefined
  #any = false
  #variables: { readonly version: object, readonly named: readonly Variable[] } | undefined

  constructor (
    readonly registry: ModelRegistry, readonly stored: StoredRules, readonly roles: RoleStore, ttl: number
  ) {
    this.users = new UserRows(registry, ttl)
    this.#bound = new RecentCache({ size: 10_000, ttl })
  }

  /** Looks again at what the application has: models or methods were added. */
  forget (): void {
    this.#known = new WeakMap()
    this.#version = undefined
    this.#variables = undefined
  }

  /** Whether any model has such rules: without them requests are given none. */
  get any (): boolean {
    if (this.#version !== this.stored.version) {
      this.#version = this.stored.version
      this.#any = Object.values(this.registry.models).some(Model => this.concerns(Model))
    }
    return this.#any
  }

  /** Whether a rule of the model, of its methods or of the ACL model says anything of rows, or a tenant does. */
  concerns (Model: ModelClass): boolean {
    return this.#of(Model).concerns
  }

  /** Whether rules of the model, and not only its tenant, say anything of rows or properties. */
  hasRules (Model: ModelClass): boolean {
    return this.#of(Model).hasRules
  }

  /** The properties of a model that conditions of rules on its rows name, and keys of relations that they follow. */
  namedProperties (Model: ModelClass): readonly string[] {
    const known = this.#of(Model)
    if (!known.concerns) return []
    if (known.named !== undefined) return known.named
    const tenant = tenantOf(Model)?.property
    const named = [
      ...namedIn(Model, this.#written(Model).map(({ rows }) => rows)), ...typeof tenant === 'string' ? [tenant] : []
    ]
    return (known.named = [...new Set(named)])
  }

  /** The properties of users and tokens that any rule names. */
  callerVariables (): readonly Variable[] {
    if (this.#variables?.version !== this.stored.version) {
      const { version, known } = this.stored
      this.#variables = { version, named: namedVariables(this.registry, known.map(({ written }) => written)) }
    }
    return this.#variables.named
  }

  /** Rules were compiled that say so: they may have come while the application runs. */
  found (): void {
    this.#any = true
  }

  #of (Model: ModelClass): Known {
    const { acls } = Model.settings
    const count = (acls as { length?: number } | undefined)?.length
    const { version } = this.stored
    const known = this.#known.get(Model)
    if (known !== undefined && known.acls === acls && known.count === count && known.version === version) {
      return known
    }
    const hasRules = enforcesRows(Model) && this.#haveRows(Model)
    const concerns = hasRules || (enforcesRows(Model) && tenantOf(Model) !== undefined)
    const found = { acls, count, version, hasRules, concerns }
    this.#known.set(Model, found)
    if (concerns) this.#any = true
    return found
  }

  #haveRows (Model: ModelClass): boolean {
    return this.#written(Model).some(counts)
  }

  #written (Model: ModelClass): Written[] {
    const ofMethods = sharedMethodsOf(Model)
      .flatMap(({ options: { acls } }) => Array.isArray(acls) ? acls as object[] : [])
    const stored = this.stored.known.map(({ written }) => written as unknown as Written)
      .filter(({ model }) => model === Model.modelName || isForAll(model))
    return [...rulesOf(Model) as unknown as Written[], ...ofMethods as Written[], ...stored]
  }

  tenantOf (model: CompiledModel): ReturnType<typeof readTenant> {
    const known = this.#tenants.get(model)
    if (known !== undefined) return known ?? undefined
    const read = enforcesRows(model.Model) ? readTenant(model.Model) : undefined
    this.#tenants.set(model, read ?? null)
    return read
  }

  /** That of a model whose rules about rows are only tried. */
  triedTenantOf ({ Model }: CompiledModel): Narrowing | undefined {
    return enforcesRows(Model) ? undefined : readTenant(Model)?.narrowing
  }

  /**
   * What decisions come to: conditions with the caller's values in them. Kept for a moment, as long as neither rules
   * nor the caller change.
   * @param source all but the tenant
   * @param now the instant of the request
   */
  bind (
    model: CompiledModel, source: Omit<RowSource, 'tenant'>, caller: Caller, now: number
  ): MaybePromise<RowRule> {
    return this.bindWith(model, source, this.tenantOf(model)?.narrowing, caller, now)
  }

  /** The same with a tenant that holds, or is tried. */
  bindWith (
    model: CompiledModel, source: Omit<RowSource, 'tenant'>, tenant: Narrowing | undefined, caller: Caller, now: number
  ): MaybePromise<RowRule> {
    const rules = [...source.giving, ...source.taking]
    const variables = [tenant, ...rules.map(({ rule }) => rule?.narrowing)].flatMap(each => each?.variables ?? [])
    return chain(factsOf(variables, caller, this.users, this.roles), facts => {
      const make = (): RowRule => bindRule(model.Model, { ...source, tenant }, caller, valuesOf(caller, facts, now))
      // What time or a role of the application's own says is not the same the next time.
      const isLasting = variables.every(({ of }) => of !== 'now' && of !== 'token') &&
        rules.every(({ role }) => role === undefined)
      return isLasting ? this.#kept(model, caller, [model, tenant, ...partsOf(source, facts)], make) : make()
    })
  }

  #kept (
    model: CompiledModel, { userModel, userId, appId }: Caller, parts: readonly unknown[], make: () => RowRule
  ): RowRule {
    const key = `${model.name}:${userModel?.modelName ?? ''}:${keyOf(userId)}:${keyOf(appId)}`
    let kept = this.#bound.get(key)
    if (kept === undefined) this.#bound.set(key, kept = [])
    const known = kept.find(each => isSame(each.parts, parts))
    if (known !== undefined) return known.rule
    const rule = make()
    if (kept.length >= mostKept) kept.shift()
    kept.push({ parts, rule })
    return rule
  }
}

const keyOf = (id: unknown): string => `${typeof id} ${String(id)}`

/** All that a rule was made of, in a row; equal parts make equal rules. */
function partsOf ({ giving, taking, isRefused, reading, isWrite }: Omit<RowSource, 'tenant'>, facts: CallerFacts): unknown[] {
  const narrowings = (rules: readonly FittingRule[]): unknown[] =>
    rules.flatMap(({ rule, role, index, rank }) => [rule?.narrowing ?? role, index, rank])
  return [
    isRefused, isWrite, facts.user, facts.roles, ...narrowings(giving), 'taking', ...narrowings(taking),
    ...reading?.flatMap(rules => ['reading', ...narrowings(rules), ...rules.map(({ role }) => role !== undefined)]) ?? ['id']
  ]
}

type Written = Readonly<Record<string, unknown>>

const counts = (written: Readonly<Record<string, unknown>>): boolean => namesRows(written) && written.enforce !== false

const isForAll = (model: unknown): boolean => model === undefined || model === null || model === '*'

const isSame = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i])
