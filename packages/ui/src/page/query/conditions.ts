/** Conditions while they are made: tests of properties, in groups of which all or one must hold. */
import { distances, equalities, listOperators, type ConditionSubject, type Where } from './subjects.js'

export interface Test {
  readonly kind: 'test'
  readonly id: number
  /** The label of its subject. */
  readonly subject: string
  readonly operator: string
  /** The value as it is typed; values of a list have commas between. */
  readonly text: string
}

/** A condition that was written otherwise, and that no fields can show. */
export interface Written {
  readonly kind: 'written'
  readonly id: number
  readonly where: Where
}

export interface Group {
  readonly kind: 'group'
  readonly id: number
  readonly by: 'and' | 'or'
  readonly parts: readonly Part[]
}

export type Part = Test | Written | Group
export type Subjects = readonly ConditionSubject[]

/** The group without parts. */
export const noConditions: Group = { kind: 'group', id: 0, by: 'and', parts: [] }

/** An id that no part of a group has. */
export const nextId = (part: Part): number =>
  1 + Math.max(part.id, ...part.kind === 'group' ? part.parts.map(each => nextId(each) - 1) : [])

/** A group with a part more; its id is made. */
export function withPart (root: Group, group: number, made: (id: number) => Part): Group {
  const part = made(nextId(root))
  return changed(root, group, each => each.kind === 'group' ? { ...each, parts: [...each.parts, part] } : each)
}

/** A group with another part in place of the one with this id; undefined takes it away. */
export function changed (root: Group, id: number, change: (part: Part) => Part | undefined): Group {
  if (root.id === id) return change(root) as Group
  return {
    ...root,
    parts: root.parts.flatMap(part => {
      if (part.id === id) return change(part) ?? []
      return part.kind === 'group' ? [changed(part, id, change)] : [part]
    })
  }
}

/** The test that a new row of fields begins with. */
export const newTest = (id: number, subjects: Subjects): Test =>
  ({ kind: 'test', id, subject: subjects[0]?.label ?? '', operator: subjects[0]?.operators[0] ?? '', text: '' })

/**
 * The condition that a part stands for; undefined for one that is not filled in.
 *
 * ```js
 * const test = { kind: 'test', id: 1, subject: 'title', operator: 'like', text: 'A%' }
 * whereOf(test, subjects) // { title: { like: 'A%' } }
 * ```
 */
export function whereOf (part: Part, subjects: Subjects): Where | undefined {
  if (part.kind === 'written') return part.where
  if (part.kind === 'test') return whereOfTest(part, subjects)
  const all = conditionsOf(part, subjects)
  if (all.length < 2) return all[0]
  if (part.by === 'or') return { or: all }
  const names = new Set(all.flatMap(each => Object.keys(each)))
  const isPlain = names.size === all.reduce((count, each) => count + Object.keys(each).length, 0)
  return isPlain ? Object.assign({}, ...all) as Where : { and: all }
}

/** The conditions of a group's parts, each for itself. */
export function conditionsOf (group: Group, subjects: Subjects): Where[] {
  const found: Where[] = []
  for (const part of group.parts) {
    const where = whereOf(part, subjects)
    const before = found.at(-1)
    if (where === undefined) continue
    const together = group.by === 'and' && before !== undefined ? distanceTogether(before, where) : undefined
    if (together === undefined) found.push(where)
    else found.splice(-1, 1, together)
  }
  return found
}

/** Conditions on a distance hold only in one: how far, and from where. */
function distanceTogether (one: Where, other: Where): Where | undefined {
  const [name, more] = [Object.keys(one), Object.keys(other)]
  const [first, second] = [one[name[0] ?? ''], other[name[0] ?? '']]
  const isDistance = (value: unknown): value is Where => value !== null && typeof value === 'object' &&
    Object.keys(value).length > 0 && Object.keys(value).every(key => distances.has(key))
  if (name.length !== 1 || more.length !== 1 || name[0] !== more[0]) return undefined
  if (!isDistance(first) || !isDistance(second)) return undefined
  const overlaps = Object.keys(second).some(key => Object.hasOwn(first, key))
  return overlaps ? undefined : { [name[0] as string]: { ...first, ...second } }
}

function whereOfTest ({ subject, operator, text }: Test, subjects: Subjects): Where | undefined {
  const about = subjects.find(({ label }) => label === subject)
  if (about === undefined || text.trim() === '') return undefined
  const value = valueOf(text, operator, about)
  const test = operator === '' ? value : { [operator]: value }
  return about.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), test) as Where
}

function valueOf (text: string, operator: string, { types, choices }: ConditionSubject): unknown {
  if (choices !== undefined && equalities.has(operator)) {
    const chosen = choices.find(choice => String(choice) === text)
    if (chosen !== undefined) return chosen
  }
  const kinds = operator === 'exists' ? ['boolean'] : operator.endsWith('Distance') ? ['number'] : types
  return listOperators.has(operator)
    ? text.split(',').map(each => plainValue(each.trim(), kinds))
    : plainValue(text, kinds)
}

function plainValue (text: string, types: readonly string[]): unknown {
  if (text === 'null') return null
  if (types.includes('string') || types.includes('date')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Conditions as they are made, to go on with: what fields cannot show stays as it was written.
 *
 * ```js
 * whereOf(groupOf([{ stars: { gt: 2 } }], subjects), subjects) // { stars: { gt: 2 } }
 * ```
 */
export function groupOf (all: readonly Where[], subjects: Subjects): Group {
  let last = 0
  const id = (): number => ++last
  const partOf = (where: Where): Part => {
    const [name = '', ...more] = Object.keys(where)
    const value = where[name]
    if (more.length === 0 && (name === 'and' || name === 'or') && Array.isArray(value)) {
      return { kind: 'group', id: id(), by: name, parts: (value as Where[]).map(partOf) }
    }
    const tests = testsOf(where, subjects, id)
    if (tests === undefined) return { kind: 'written', id: id(), where }
    return tests.length === 1 ? tests[0] as Test : { kind: 'group', id: id(), by: 'and', parts: tests }
  }
  return { kind: 'group', id: 0, by: 'and', parts: all.map(partOf) }
}

/** The tests that a condition consists of; undefined where it is not made of tests alone. */
function testsOf (where: Where, subjects: Subjects, id: () => number): Test[] | undefined {
  const found: Test[] = []
  for (const [name, value] of Object.entries(where)) {
    const at = subjectAt(name, value, subjects)
    const tests = at === undefined ? undefined : testsOn(at.subject, at.test)
    if (tests === undefined) return undefined
    found.push(...tests.map(test => ({ ...test, id: id() })))
  }
  return found.length === 0 ? undefined : found
}

function subjectAt (
  name: string, value: unknown, subjects: Subjects
): { subject: ConditionSubject, test: unknown } | undefined {
  for (const subject of subjects) {
    if (subject.path[0] !== name) continue
    let test: unknown = value
    const fits = subject.path.slice(1).every(step => {
      if (test === null || typeof test !== 'object' || Object.keys(test).length !== 1 || !Object.hasOwn(test, step)) return false
      test = (test as Where)[step]
      return true
    })
    if (fits) return { subject, test }
  }
  return undefined
}

function testsOn (subject: ConditionSubject, test: unknown): Array<Omit<Test, 'id'>> | undefined {
  const about = { kind: 'test', subject: subject.label } as const
  if (test === null || typeof test !== 'object') {
    const operator = subject.operators.includes('') ? '' : 'eq'
    return isRead(test, '', subject) ? [{ ...about, operator, text: String(test) }] : undefined
  }
  const entries = Object.entries(test as Where)
  const isKnown = !Array.isArray(test) && entries.length > 0 && entries.every(([operator, value]) =>
    subject.operators.includes(operator) && isRead(value, operator, subject))
  if (!isKnown) return undefined
  return entries.map(([operator, value]) => ({ ...about, operator, text: textOf(value) }))
}

/** Whether a value comes back from its text as it was. */
const isRead = (value: unknown, operator: string, subject: ConditionSubject): boolean =>
  (listOperators.has(operator) ? Array.isArray(value) : value === null || typeof value !== 'object') &&
  JSON.stringify(valueOf(textOf(value), operator, subject)) === JSON.stringify(value)

const textOf = (value: unknown): string => Array.isArray(value) ? value.map(String).join(', ') : String(value)
