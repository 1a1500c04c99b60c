/** What rules come to for one caller, one model and one action: conditions with values in them. */
import type { Condition, ModelClass, Row, RowRule } from '@fastback/core'
import { parseWhere } from '@fastback/core/connector'
import { warnOnce } from '@fastback/core/remote'
import type { Caller } from '../caller.js'
import { ownRows } from '../roles/own-rows.js'
import { ownRule } from './rule-within.js'
import type { Fields } from './fields.js'
import type { Narrowing, RowsPart } from './narrowing.js'
import type { FittingRule } from '../rules/decision.js'
import { exactly } from './exactly.js'
import { bindTemplate, never, type Where } from './template.js'
import { nameOf, scalarOf, scalarsOf, type ValueOf } from './variables.js'

/** What decides about rows and properties: rules, the tenant, and whether nothing is allowed at all. */
export interface RowSource {
  readonly giving: readonly FittingRule[]
  readonly taking: readonly FittingRule[]
  readonly isRefused: boolean
  readonly tenant: Narrowing | undefined
  /** Rules by which properties are read: what all of these leave. Undefined: nothing but the id is. */
  readonly reading: ReadonlyArray<readonly FittingRule[]> | undefined
  /** Whether the rules that give rows say what may be set as well. `none`: nothing may be. */
  readonly isWrite: boolean | 'none'
}

/** One condition or none, with what it is told apart by. */
interface Written { readonly rows: Where | undefined, readonly check: Where | undefined }

/** What rules come to as it is shown to people: conditions as they are written in JSON. */
export interface RowsInWords {
  /** Rows that may be read or changed; undefined: all. `"own"`: those of the owner. */
  readonly rows: Where | 'own' | undefined
  /** What rows must be after a write; undefined: anything. */
  readonly check: Where | 'own' | undefined
  readonly preset: Readonly<Row> | undefined
  readonly reads: Fields | undefined
  readonly writes: Fields | undefined
}

/**
 * What rules come to for a kind of caller: with the names of variables in place of their values.
 *
 * ```js
 * rowsInWords(Note, source).rows // { ownerId: '$user.id' }
 * ```
 */
export function rowsInWords (Model: ModelClass, source: RowSource): RowsInWords {
  // What is combined is an object; "own" stands in it as a word.
  const asWritten = (part: RowsPart): Where => (part === 'own' ? part : part.written) as Where
  return {
    ...combined(source, asWritten),
    preset: presetOf(Model, source, nameOf),
    reads: readsOf(Model, source),
    writes: source.isWrite ? fieldsOf(source.giving, 'writes') : undefined
  }
}

/**
 * The conditions of a rule with the values of its caller, as they are written in JSON; undefined for what is no rule of
 * a model's.
 */
export function writtenIn (rule: RowRule): { rows: Where | undefined, check: Where | undefined } | undefined {
  const own = ownRule(rule)
  return own instanceof BoundRule ? own.written() : undefined
}

/** Conditions are written with values, read as the query language, and never again as something else. */
export function bindRule (
  Model: ModelClass, source: RowSource, caller: Caller, valueOf: ValueOf
): RowRule {
  const written = writtenOf(Model, source, caller, valueOf)
  return new BoundRule(
    conditionOf(Model, written.rows), conditionOf(Model, written.check), presetOf(Model, source, valueOf),
    { reads: readsOf(Model, source), writes: writesOf(source) },
    () => written,
    () => {
      // Time passes, and the rows of a cursor are still those of the same rules.
      const { rows } = writtenOf(Model, source, caller, variable => variable.of === 'now' ? undefined : valueOf(variable))
      return [rows, source.reading?.map(rules => rules.map(({ rule }) => rule?.written.fields)) ?? 'id']
    }
  )
}

class BoundRule implements RowRule {
  readonly reads: RowRule['reads']
  readonly writes: RowRule['writes']
  readonly #keyParts: () => unknown
  #key: string | undefined

  constructor (
    readonly rows: Condition | undefined, readonly check: Condition | undefined,
    readonly preset: Readonly<Row> | undefined, { reads, writes }: Pick<RowRule, 'reads' | 'writes'>,
    readonly written: () => Written, keyParts: () => unknown
  ) {
    this.reads = reads
    this.writes = writes
    this.#keyParts = keyParts
  }

  get key (): string {
    return (this.#key ??= JSON.stringify(this.#keyParts(), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value) ?? '')
  }
}

function writtenOf (Model: ModelClass, source: RowSource, caller: Caller, valueOf: ValueOf): Written {
  return combined(source, (part, isNegated) =>
    part === 'own' ? ownRows(Model, caller) ?? never : bindTemplate(part, valueOf, isNegated))
}

/** What rules give and take, with the conditions in one form. */
function combined (source: RowSource, conditionOf: (part: RowsPart, isNegated: boolean) => Where): Written {
  const { giving, taking, isRefused, tenant } = source
  const bound = (part: RowsPart | undefined, isNegated = false): Where | undefined =>
    part === undefined ? undefined : conditionOf(part, isNegated)
  const rowsOf = ({ rule, role }: FittingRule): Where | undefined => both(role?.where, bound(rule?.narrowing?.rows))
  const takenBy = ({ rule, role }: FittingRule): Where => both(role?.where, bound(rule?.narrowing?.rows, true)) ?? {}
  const checkOf = (each: FittingRule): Where | undefined => {
    const check = each.rule?.narrowing?.check
    return check === undefined ? rowsOf(each) : bound(check)
  }
  /** What rules before have taken, or decided. */
  const before = ({ index, rank }: FittingRule): Where | undefined => {
    const taken = taking.filter(each => each.index < index).map(takenBy)
    const decided = giving.filter(each => each.rank > rank && each.rule?.narrowing?.rows !== undefined)
      .map(({ role }) => role?.where ?? {})
    return taken.length + decided.length === 0 ? undefined : { nor: [...taken, ...decided] }
  }
  // Where no rule allows, the default permission does.
  const given = giving.length > 0 ? giving : [{ rule: undefined, role: undefined, index: Infinity, rank: -1 }]
  const left = (partOf: typeof rowsOf): Where | undefined => anyOf(given.map(each => both(partOf(each), before(each))))
  const ofTenant = bound(tenant?.rows)
  return isRefused
    ? { rows: never, check: never }
    : { rows: both(left(rowsOf), ofTenant), check: both(left(checkOf), ofTenant) }
}

/** Undefined stands for all rows. */
const anyOf = (wheres: ReadonlyArray<Where | undefined>): Where | undefined =>
  wheres.includes(undefined) ? undefined : wheres.length === 1 ? wheres[0] : { or: wheres }

const both = (a: Where | undefined, b: Where | undefined): Where | undefined =>
  a === undefined ? b : b === undefined ? a : { and: [a, b] }

const nothing: Condition = Object.freeze({ kind: 'or', conditions: [] })

/** A condition that cannot be read for these values leaves nothing. */
function conditionOf (Model: ModelClass, where: Where | undefined): Condition | undefined {
  if (where === undefined) return undefined
  const { compiled, modelName, registry } = Model
  try {
    const condition = parseWhere(compiled, where, compiled.parsing.rules)
    return condition === undefined ? undefined : exactly(condition)
  } catch (error) {
    warnOnce(registry, { model: modelName, err: error },
      `A condition of the access rules of "${modelName}" cannot be read for a caller: it leaves no rows`)
    return nothing
  }
}

/** What new rows get: the tenant's value first, then what the heaviest rule says. A value that is missing is null. */
function presetOf (Model: ModelClass, { giving, tenant }: RowSource, valueOf: ValueOf): Readonly<Row> | undefined {
  const row: Row = {}
  for (const preset of [tenant?.preset, ...giving.map(({ rule }) => rule?.narrowing?.preset)]) {
    for (const [name, said] of preset ?? []) {
      if (Object.hasOwn(row, name)) continue
      row[name] = 'value' in said ? said.value : presetValue(Model, name, valueOf(said.variable))
    }
  }
  return Object.keys(row).length === 0 ? undefined : row
}

const presetValue = ({ compiled }: ModelClass, name: string, value: unknown): unknown =>
  (compiled.propertyByName.get(name)?.type.kind === 'array' ? scalarsOf(value) : scalarOf(value)) ?? null

function readsOf ({ compiled }: ModelClass, { reading }: RowSource): Fields | undefined {
  if (reading === undefined) return name => compiled.key.some(each => each.name === name)
  const lists = reading.map(rules => fieldsOf(rules, 'reads')).filter(each => each !== undefined)
  return lists.length === 0 ? undefined : name => lists.every(list => list(name))
}

/** Rows within others are set by who may write the row around them: whom rules refuse sets nothing there. */
function writesOf ({ giving, isWrite }: RowSource): Fields | undefined {
  if (isWrite === 'none') return () => false
  return isWrite ? fieldsOf(giving, 'writes') : undefined
}

/**
 * The properties that rules of one rank leave: those of a rule that gives all rows, or of every one. What is read of a
 * row does not hang on which of them gave it.
 */
function fieldsOf (giving: readonly FittingRule[], key: 'reads' | 'writes'): Fields | undefined {
  const lists = giving.map(({ rule }) => rule?.narrowing?.[key])
  const isOneRank = giving.every(({ rank }) => rank === giving[0]?.rank)
  const ofAll = giving
    .filter(({ rule, role }) => isOneRank && role === undefined && rule?.narrowing?.rows === undefined)
    .map(({ rule }) => rule?.narrowing?.[key])
  if (lists.every(each => each === undefined) || ofAll.includes(undefined)) return undefined
  const allows = (list: Fields | undefined, name: string): boolean => list === undefined || list(name)
  return name => ofAll.some(list => allows(list, name)) || lists.every(list => allows(list, name))
}
