/** Which models of an application have rules about rows or properties, and what these come to for a caller. */
import { RecentCache } from '@fastback/auth/service'
import type { CompiledModel, MaybePromise, ModelClass, ModelRegistry, RowRule } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { modelsWithin, rulesOf, sharedMethodsOf } from '@fastback/core/remote'
import type { Caller } from '../caller.js'
import type { RoleStore } from '../roles/role-store.js'
import type { StoredRules } from '../rules/stored-rules.js'
import type { RowSource } from './bound-rule.js'
import { factsOf, UserRows, type CallerFacts } from './caller-values.js'
import { namedVariables } from './caller-variables.js'
import { enforcesRows, namesRows, readTenant, tenantOf, type Narrowing } from './narrowing.js'
import { namedIn } from './named-properties.js'
import { RowBinding } from './row-binding.js'
import { isNarrow } from './row-decision.js'
import type { RowDecision } from '../rules/decision.js'
import type { Variable } from './variables.js'

interface Known {
  readonly acls: unknown
  readonly count: number | undefined
  readonly version: object
  readonly hasRules: boolean
  readonly concerns: boolean
  /** What conditions on its rows name; found when first asked for. */
  named?: readonly string[]
  /** Whether rules say who may read, or set, which properties; found when first asked for. */
  haveFields?: { readonly read: boolean, readonly write: boolean }
  /** The models of rows within its rows that have rules; found when first asked for. */
  within?: readonly CompiledModel[]
}

/** What decides about what a caller does to rows of a model, and what may be read of them. */
export interface RowQuestion {
  readonly decision: RowDecision
  /** What the rules of `findById` say, where other rules decide; undefined: nothing. */
  readonly reading: RowDecision | undefined
  /** Whether properties are set. */
  readonly isWrite: boolean
}

/** `binding` undefined: everything is left to everybody. */
interface Prepared extends Omit<RowQuestion, 'decision'> { readonly binding: RowBinding | undefined }

interface Kept extends CallerFacts { readonly rule: RowRule }

/** Of one decision, with what others say of reading: rules that have changed since are let go. */
const mostPrepared = 16

/** Rules that are kept for one caller: of several models and actions, and of rules that have changed since. */
const mostKept = 64

export class RowAccess {
  readonly users: UserRows
  #known = new WeakMap<ModelClass, Known>()
  #tenants = new WeakMap<CompiledModel, ReturnType<typeof readTenant> | null>()
  /** What decisions come to for everybody: prepared once for each, as they stay the same objects. */
  readonly #prepared = new WeakMap<CompiledModel, WeakMap<RowDecision, Prepared[]>>()
  /** By caller. */
  readonly #bound: RecentCache<Map<RowBinding, Kept>>
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

  /** The models whose rows stand within those of a model, as far as they have rules about rows or properties. */
  within (Model: ModelClass): readonly CompiledModel[] {
    const known = this.#of(Model)
    return (known.within ??= modelsWithin(Model.compiled).filter(inner => this.hasRules(inner.Model)))
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
   * Whether rules of the model say who may read, or set, which properties: who may not read, or write, rows at all
   * reads, or sets, none then.
   */
  haveFields (Model: ModelClass, use: 'read' | 'write'): boolean {
    const known = this.#of(Model)
    const names = (of: 'read' | 'write'): boolean => rulesOf(Model).some(rule => namesFields(rule, of)) ||
      this.stored.known.some(({ written }) => written.model === Model.modelName && namesFields(written, of))
    return (known.haveFields ??= { read: names('read'), write: names('write') })[use]
  }

  /**
   * What a decision comes to for a caller: conditions with the caller's values in them; undefined: everything. Kept for
   * a moment, as long as neither rules nor the caller change.
   * @param now the instant of the request
   */
  bind (
    model: CompiledModel, question: RowQuestion, caller: Caller, now: number
  ): MaybePromise<RowRule | undefined> {
    const binding = this.#bindingOf(model, question)
    return binding && this.#ruleOf(binding, caller, now)
  }

  /** The same with a tenant that is only tried. */
  bindTried (
    model: CompiledModel, source: Omit<RowSource, 'tenant'>, tenant: Narrowing | undefined, caller: Caller, now: number
  ): MaybePromise<RowRule> {
    const binding = new RowBinding(model.Model, { ...source, tenant })
    return chain(factsOf(binding.needs, caller, this.users, this.roles), facts => binding.bind(caller, facts, now))
  }

  #bindingOf (model: CompiledModel, question: RowQuestion): RowBinding | undefined {
    const { decision, reading, isWrite } = question
    if (isForRows(decision) || (reading !== undefined && isForRows(reading))) return this.#prepare(model, question)
    let ofModel = this.#prepared.get(model)
    if (ofModel === undefined) this.#prepared.set(model, ofModel = new WeakMap())
    let prepared = ofModel.get(decision)
    if (prepared === undefined) ofModel.set(decision, prepared = [])
    const known = prepared.find(each => each.reading === reading && each.isWrite === isWrite)
    if (known !== undefined) return known.binding
    const binding = this.#prepare(model, question)
    if (prepared.length >= mostPrepared) prepared.length = 0
    prepared.push({ reading, isWrite, binding })
    return binding
  }

  #prepare (model: CompiledModel, { decision, reading, isWrite }: RowQuestion): RowBinding | undefined {
    const tenant = this.tenantOf(model)?.narrowing
    const isReadNarrow = reading?.giving.some(({ rule }) => rule?.narrowing?.reads !== undefined) === true
    const isShut = reading?.permission === 'DENY' && this.haveFields(model.Model, 'read')
    const isRefused = decision.permission === 'DENY'
    const setsNone = isWrite && isRefused && this.haveFields(model.Model, 'write')
    if (!isRefused && !isNarrow(decision) && !isReadNarrow && !isShut && tenant === undefined) return undefined
    const { giving, taking } = decision
    const others = reading === undefined || reading === decision ? [] : [reading.giving]
    return new RowBinding(model.Model, {
      giving, taking, isRefused, tenant, reading: isShut ? undefined : [giving, ...others],
      isWrite: setsNone ? 'none' : isWrite
    })
  }

  #ruleOf (binding: RowBinding, caller: Caller, now: number): MaybePromise<RowRule> {
    return chain(factsOf(binding.needs, caller, this.users, this.roles), facts =>
      binding.isLasting ? this.#kept(binding, caller, facts, now) : binding.bind(caller, facts, now))
  }

  #kept (binding: RowBinding, caller: Caller, facts: CallerFacts, now: number): RowRule {
    let kept = this.#bound.get(caller.key)
    if (kept === undefined) this.#bound.set(caller.key, kept = new Map())
    const known = kept.get(binding)
    if (known !== undefined && known.user === facts.user && known.roles === facts.roles) return known.rule
    const rule = binding.bind(caller, facts, now)
    if (kept.size >= mostKept) kept.clear()
    kept.set(binding, { user: facts.user, roles: facts.roles, rule })
    return rule
  }
}

const namesFields = ({ fields }: { readonly fields?: unknown }, use: 'read' | 'write'): boolean =>
  (fields as { readonly read?: unknown, readonly write?: unknown } | undefined)?.[use] !== undefined

const isForRows = ({ giving, taking }: RowDecision): boolean =>
  giving.some(({ role }) => role !== undefined) || taking.some(({ role }) => role !== undefined)

type Written = Readonly<Record<string, unknown>>

const counts = (written: Readonly<Record<string, unknown>>): boolean => namesRows(written) && written.enforce !== false

const isForAll = (model: unknown): boolean => model === undefined || model === null || model === '*'
