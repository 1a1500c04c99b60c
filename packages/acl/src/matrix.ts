/** Roles × methods × rows × fields of an application, without any caller: for reviews of changed rules. */
import { strictest, type Assurance } from '@fastback/auth/service'
import type { MaybePromise, ModelClass, SharedMethod } from '@fastback/core'
import { sharedMethodsOf } from '@fastback/core/remote'
import { actionPlansOf } from './guard/action-plans.js'
import { rowsInWords } from './rows/bound-rule.js'
import { readableFields, writableFields } from './rows/listed-fields.js'
import { decideRows } from './rows/row-decision.js'
import type { FittingRule, RowDecision } from './rules/decision.js'
import type { Where } from './rows/template.js'
import { isAboutOneRow } from './rules/about-one-row.js'
import { isAllowed, type Fits } from './rules/decide.js'
import { MethodPlan } from './rules/method-plan.js'
import type { Plan } from './rules/compiled-plan.js'
import type { Permission, Rule } from './rules/rule.js'
import { aclService } from './service.js'
import { methodsWith } from './tried-access.js'

/** What one kind of caller may do by one method. */
export interface MatrixLine {
  readonly model: string
  /** With `prototype.` where it is one of instances. */
  readonly method: string
  readonly accessType: string
  /**
   * `$everyone`; `$unauthenticated` and `$authenticated`, who have no other role; `$owner`: of the row at hand; a role
   * that a rule names, of somebody who is logged in; `USER 7`, `APP 3`. `checkAccess` where the application decides
   * itself; `nobody`.
   */
  readonly role: string
  readonly permission: Permission
  /** How the caller must have logged in; absent: somehow. */
  readonly assurance?: Assurance
  /**
   * `all`; `own`: the rows of the owner; `by operation`: a method of the application's own reads and writes what the
   * rules of the model leave; or the condition as the rules have it. What several rules say is joined by `or`, `and`,
   * `nor`.
   */
  readonly rows: 'all' | 'own' | 'by operation' | Where
  /** What rows must be after a write, where that is not `rows`. */
  readonly check?: 'own' | Where
  readonly preset?: Readonly<Record<string, unknown>>
  /** As in rules; `*` is all that is not hidden. */
  readonly read: readonly string[]
  /** Of methods that write. */
  readonly write?: readonly string[]
}

/** A kind of caller, by the principals that it has. */
interface Kind { readonly name: string, readonly has: (rule: Rule) => boolean }

/**
 * Who may do what by the methods of a model: a line for each method and kind of caller that may call it, in the order
 * of the methods; a role has a line where a rule names it. Roles that the application resolves count as held for all
 * rows, and rules that are only tried do not count.
 *
 * ```js
 * (await accessMatrix(Note)).filter(({ rows }) => rows === 'all').map(({ method, role }) => `${role} ${method}`)
 * ```
 * @param methods those to look at. Default: all that the model's settings share
 * @param options.refused whether kinds of callers that a rule names, and that may not call a method, have a line as
 * well, with the permission DENY. Default: false
 */
export async function accessMatrix (
  Model: ModelClass, methods: readonly SharedMethod[] = sharedMethodsOf(Model),
  { refused = false }: { readonly refused?: boolean } = {}
): Promise<MatrixLine[]> {
  const service = aclService(Model.registry)
  const reading = await actionPlansOf(service).of(Model, 'read').current()
  const lines = await Promise.all(methodsWith(Model, methods).map(async method => {
    const methodPlan = MethodPlan.of(service, method)
    const plan = await methodPlan.current()
    return await linesOf({ method, accessType: methodPlan.operation.accessType, plan, reading }, refused)
  }))
  return lines.flat()
}

interface Asked {
  readonly method: SharedMethod
  readonly accessType: string
  readonly plan: Plan
  /** Rules by which properties are read. */
  readonly reading: Plan
}

async function linesOf (asked: Asked, withRefused: boolean): Promise<MatrixLine[]> {
  const { method, accessType, plan } = asked
  const about = { model: method.model.modelName, method: method.fullName, accessType }
  if (plan.check !== undefined) {
    const { assurance } = plan
    const asked = assurance === undefined ? {} : { assurance }
    return [{ ...about, role: 'checkAccess', permission: 'ALLOW', ...asked, rows: 'all', read: ['*'] }]
  }
  const kinds = kindsOf(asked)
  const all = await Promise.all(kinds.map(async kind => await lineFor(asked, kind)))
  const lines = all.filter(line => line !== undefined)
  const refused = kinds.filter((kind, index) => withRefused && all[index] === undefined)
    .map(({ name }): MatrixLine => ({ ...about, role: name, permission: 'DENY', rows: 'all', read: [] }))
  if (lines.length === 0) return [{ ...about, role: 'nobody', permission: 'DENY', rows: 'all', read: [] }]
  const [anonymous, loggedIn, ...others] = lines
  const isForAll = anonymous?.role === '$unauthenticated' && loggedIn?.role === '$authenticated' &&
    JSON.stringify({ ...anonymous, role: '' }) === JSON.stringify({ ...loggedIn, role: '' })
  return [...isForAll ? [{ ...anonymous, role: '$everyone' }, ...others] : lines, ...refused]
}

const isRole = (names: readonly string[]) => ({ principalType, principalId }: Rule): boolean =>
  principalType === 'ROLE' && names.includes(principalId)

const builtIn = ['$everyone', '$unauthenticated', '$authenticated', '$owner']

/** Anonymous callers, those who are logged in, and whom a rule of the method names. */
function kindsOf ({ method, plan }: Asked): Kind[] {
  const named = plan.rules.filter(rule => !(rule.principalType === 'ROLE' && builtIn.includes(rule.principalId)))
  const keys = new Map(named.map(rule => [keyOf(rule), rule]))
  const loggedIn = isRole(['$everyone', '$authenticated'])
  const owns = plan.rules.some(isRole(['$owner'])) && isAboutOneRow(method)
  return [
    { name: '$unauthenticated', has: isRole(['$everyone', '$unauthenticated']) },
    { name: '$authenticated', has: loggedIn },
    ...owns ? [{ name: '$owner', has: isRole(['$everyone', '$authenticated', '$owner']) }] : [],
    ...[...keys].sort(([a], [b]) => a < b ? -1 : 1).map(([name]) =>
      ({ name, has: (rule: Rule) => loggedIn(rule) || keyOf(rule) === name }))
  ]
}

const keyOf = ({ principalType, principalId }: Rule): string =>
  principalType === 'ROLE' ? principalId : `${principalType} ${principalId}`

class KindFits implements Fits {
  constructor (readonly kind: Kind) {}
  fits (rule: Rule): boolean { return this.kind.has(rule) }
  passes (): MaybePromise<boolean> { return true }
}

async function lineFor ({ method, accessType, plan, reading }: Asked, kind: Kind): Promise<MatrixLine | undefined> {
  const { model: Model } = method
  const fits = new KindFits(kind)
  const decision = await decideRows(plan, fits)
  if (!isAllowed(decision.permission)) return undefined
  const byFindById = await decideRows(reading, fits)
  const isWrite = accessType !== 'READ' && !isDelete(method)
  const words = rowsInWords(Model, {
    giving: decision.giving,
    taking: decision.taking,
    isRefused: false,
    tenant: aclService(Model.registry).rows.tenantOf(Model.compiled)?.narrowing,
    reading: readingOf(Model, decision, byFindById),
    isWrite
  })
  const rows = isByOperation(method, decision) ? 'by operation' : words.rows ?? 'all'
  const assurance = strictest(decision.rule?.assurance, plan.assurance)
  const isChecked = isWrite && words.check !== undefined && JSON.stringify(words.check) !== JSON.stringify(words.rows)
  return {
    model: Model.modelName,
    method: method.fullName,
    accessType,
    role: kind.name,
    permission: decision.permission,
    ...assurance === undefined ? {} : { assurance },
    rows,
    ...isChecked ? { check: words.check } : {},
    ...isWrite && words.preset !== undefined ? { preset: words.preset } : {},
    read: readableFields(Model, words.reads),
    ...isWrite ? { write: writableFields(Model, words.writes) } : {}
  }
}

/** As for requests: who may not read a row reads no properties of it where rules name properties. */
function readingOf (
  Model: ModelClass, { giving }: RowDecision, byFindById: RowDecision
): ReadonlyArray<readonly FittingRule[]> | undefined {
  const isShut = !isAllowed(byFindById.permission) && aclService(Model.registry).rows.haveFields(Model, 'read')
  return isShut ? undefined : [giving, byFindById.giving]
}

const isDelete = ({ builtin, name }: SharedMethod): boolean =>
  ['delete', 'destroy'].some(start => (builtin ?? name).startsWith(start))

/** Methods of the application's own are narrowed by what they do, unless a rule about rows names them. */
const isByOperation = ({ builtin, relation, nested, model }: SharedMethod, { giving, taking }: RowDecision): boolean =>
  builtin === undefined && relation === undefined && nested === undefined &&
  aclService(model.registry).rows.concerns(model) &&
  ![...giving, ...taking].some(({ rule }) => rule?.methods !== undefined && rule.narrowing !== undefined)
