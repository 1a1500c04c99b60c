/**
 * What rules say of rows, as policies of a database. A policy is about an action on a table and knows no methods: it
 * leaves what any method that does the action leaves, never less than the rules leave a caller.
 */
import type {
  ModelClass, ModelRegistry, PolicyTest, RowAction, RowPolicy, SharedMethod, UnsaidPolicy
} from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { scopesOf, sharedMethodsOf } from '@fastback/core/remote'
import { actionPlansOf } from '../guard/action-plans.js'
import { includeAccessOf } from '../guard/related-access.js'
import { isAboutOneRow } from '../rules/about-one-row.js'
import { MethodPlan } from '../rules/method-plan.js'
import type { Plan } from '../rules/compiled-plan.js'
import { aclService, type AclService } from '../service.js'
import { allOf, anyOf, isWriting, Unsayable } from './tests.js'
import { PlanTests } from './plan-test.js'

/** The policies of models, and those of which there can be none. */
export interface RowPolicies {
  readonly policies: readonly RowPolicy[]
  readonly unsaid: readonly UnsaidPolicy[]
}

/**
 * The policies that say what the rules of models say of rows: for `fastback migrate --row-security`. Rules that are
 * rows of the ACL model count as they are now.
 *
 * ```js
 * const { policies, unsaid } = await rowPolicies(app.registry, [Note])
 * ```
 * @param models those that are looked at; without rules about rows they get none
 */
export async function rowPolicies (registry: ModelRegistry, models: readonly ModelClass[]): Promise<RowPolicies> {
  const service = aclService(registry)
  await service.rules.read()
  const policies: RowPolicy[] = []
  const unsaid: UnsaidPolicy[] = []
  for (const Model of models.filter(each => service.rows.concerns(each))) {
    try {
      policies.push(await policyOf(service, Model))
    } catch (error) {
      if (!(error instanceof Unsayable)) throw error
      unsaid.push({ model: Model.modelName, why: error.message })
    }
  }
  return { policies, unsaid }
}

/** What a method does, as far as policies tell it apart. */
interface Doing {
  readonly plan: Plan
  readonly isAboutOneRow: boolean
  readonly actions: readonly RowAction[]
  /** Whether a request for it may only read. */
  readonly reads: boolean
}

async function policyOf (service: AclService, Model: ModelClass): Promise<RowPolicy> {
  if (includeAccessOf(Model.settings, Model.registry.settings) === 'parent') {
    throw new Unsayable('is shown by include whatever its own rules say ("includeAccess": "parent")')
  }
  const tests = new PlanTests(service, Model)
  const doings = service.rows.hasRules(Model) ? await doingsOf(service, Model) : undefined
  const tenant = service.rows.tenantOf(Model.compiled)?.narrowing.rows
  const ofTenant = tenant === undefined ? [] : [tests.part(tenant)]
  const left = (part: 'rows' | 'check', counts: (doing: Doing) => boolean): PolicyTest => {
    const byMethod = doings?.filter(counts).map(({ plan, isAboutOneRow }) => tests.of(plan, { isAboutOneRow, part }))
    return allOf([...byMethod === undefined ? [] : [anyOf(byMethod)], ...ofTenant])
  }
  const does = (action: RowAction) => ({ actions }: Doing): boolean => actions.includes(action)
  const removed = left('rows', does('delete'))
  const created = left('check', does('create'))
  const changed = left('check', does('update'))
  // Whoever changes a row looks at it before and after, and locks what is to be deleted.
  const written = anyOf([left('rows', ({ reads }) => !reads), created, changed])
  return {
    model: Model.compiled,
    select: anyOf([left('rows', ({ reads }) => reads), allOf([isWriting, written])]),
    insert: created,
    update: anyOf([left('rows', does('update')), allOf([isWriting, removed])]),
    changed,
    delete: removed
  }
}

const all: readonly RowAction[] = ['read', 'create', 'update', 'delete']

const actionsOf: Readonly<Record<string, readonly RowAction[]>> = {
  find: ['read'],
  findById: ['read'],
  findOne: ['read'],
  exists: ['read'],
  count: ['read'],
  aggregate: ['read'],
  createChangeStream: ['read'],
  live: ['read'],
  create: ['create'],
  patchOrCreate: ['create', 'update'],
  replaceOrCreate: ['create', 'update'],
  upsertWithWhere: ['create', 'update'],
  patchAttributes: ['update'],
  replaceById: ['update'],
  updateAll: ['update'],
  deleteById: ['delete'],
  restoreById: ['update'],
  historyOf: ['read'],
  revert: ['update']
}

/** The methods of a model whose own rules decide about its rows, and what rules say of each action. */
async function doingsOf (service: AclService, Model: ModelClass): Promise<Doing[]> {
  const found: Doing[] = []
  for (const method of sharedMethodsOf(Model)) {
    const methodPlan = MethodPlan.of(service, method)
    const plan = await methodPlan.current()
    const actions = actionsIn(method, plan)
    if (actions.length === 0) continue
    const reads = methodPlan.operation.accessType === 'READ' ||
      method.http.some(({ verb }) => verb === 'get' || verb === 'head')
    found.push({ plan, isAboutOneRow: isAboutOneRow(method), actions, reads })
  }
  for (const action of all) {
    const plan = await chain(actionPlansOf(service).of(Model, action).current(), found => found)
    found.push({ plan, isAboutOneRow: action !== 'create', actions: [action], reads: action === 'read' })
  }
  return found.filter((each, i) => found.findIndex(other => isSame(each, other)) === i)
}

function actionsIn (method: SharedMethod, { rules }: Plan): readonly RowAction[] {
  const { builtin, relation, nested, model, name } = method
  if (builtin !== undefined) return actionsOf[builtin] ?? all
  // Relations read the rows that they begin with; what they write is judged as the action that it is.
  if (relation !== undefined || nested !== undefined) return ['read']
  const [, scope] = /^__[^_]+__(.+)$/.exec(name) ?? []
  const isScope = scope !== undefined && Object.hasOwn(scopesOf(model), scope)
  const isMeant = rules.some(({ methods, narrowing }) => methods !== undefined && (narrowing !== undefined || isScope))
  return isMeant ? all : []
}

const isSame = (a: Doing, b: Doing): boolean =>
  a.isAboutOneRow === b.isAboutOneRow && a.reads === b.reads && a.actions.join() === b.actions.join() &&
  a.plan.otherwise === b.plan.otherwise && a.plan.check === b.plan.check &&
  a.plan.rules.length === b.plan.rules.length &&
  a.plan.rules.every(({ written }, i) => written === (b.plan.rules[i]?.written))
