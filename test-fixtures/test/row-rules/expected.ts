/** What a request comes to, by a loop over all rows in plain JavaScript, and the request itself. */
import { judge, type Leave } from './judge.js'
import { truth, type Person, type Request, type Row, type Rows, type Rule, type Where } from './world.js'

/** Statuses that the response may have, its body where it is known, and the rows that are stored then. */
export interface Expected {
  readonly status: readonly number[]
  readonly body?: unknown
  /** The row at the end gets its id once it is known. */
  notes: readonly Row[]
  /** Whether the store chooses the id of the row that is the last one of `notes`. */
  readonly isNew?: boolean
}

export interface Situation {
  readonly rows: Rows
  /** Notes, or deeds. */
  readonly notes: readonly Row[]
  readonly rules: readonly Rule[]
  readonly person: Person
  readonly isTenant: boolean
}

const query = (name: string, value: unknown): string => `${name}=${encodeURIComponent(JSON.stringify(value))}`

/** Verb, path and body. */
export function httpOf (request: Request, isTenant: boolean): [method: string, url: string, payload?: object] {
  const path = isTenant ? '/Deeds' : '/Notes'
  const relation = isTenant ? 'deeds' : 'notes'
  switch (request.kind) {
    case 'find': {
      const { where, order, limit } = request
      const orders = [order, ...order.startsWith('id') ? [] : ['id']]
      return ['GET', `${path}?${query('filter', { where, order: orders, limit })}`]
    }
    case 'count': return ['GET', `${path}/count?${query('where', request.where)}`]
    case 'group': {
      const aggregate = { n: { count: '*' }, most: { max: 'stars' } }
      return ['GET', `${path}/aggregate?${query('filter', { where: request.where, aggregate })}`]
    }
    case 'updateAll': return ['POST', `${path}/update?${query('where', request.where)}`, dataOf(request.data)]
    case 'upsertWithWhere': return ['POST', `${path}/upsertWithWhere?${query('where', request.where)}`, dataOf(request.data)]
    case 'findById': return ['GET', `${path}/${request.id}`]
    case 'exists': return ['GET', `${path}/${request.id}/exists`]
    case 'deleteById': return ['DELETE', `${path}/${request.id}`]
    case 'patch': return ['PATCH', `${path}/${request.id}`, dataOf(request.data)]
    case 'replace': return ['PUT', `${path}/${request.id}`, dataOf(request.data)]
    case 'create': return ['POST', path, { id: request.id, ...dataOf(request.data) }]
    case 'patchOrCreate': return ['PATCH', path, { id: request.id, ...dataOf(request.data) }]
    case 'replaceOrCreate': return ['PUT', path, { id: request.id, ...dataOf(request.data) }]
    case 'include': {
      const include = { relation, scope: { where: request.where } }
      return ['GET', `/Teams/${request.id}?${query('filter', { include })}`]
    }
    case 'related': return ['GET', `/Teams/${request.id}/${relation}?${query('filter', { where: request.where })}`]
    case 'relatedCount': return ['GET', `/Teams/${request.id}/${relation}/count?${query('where', request.where)}`]
    case 'having': return ['GET', `/Teams?${query('filter', { where: { [relation]: { some: request.where } } })}`]
  }
}

const dataOf = (data: Row): Row => Object.keys(data).length === 0 ? { stars: 1 } : data

/** Rows are compared without what is null in them: stores differ in that. */
export const plain = (value: unknown): any => JSON.parse(JSON.stringify(value ?? null), (_, each: unknown) =>
  each === null || typeof each !== 'object' || Array.isArray(each)
    ? each
    : Object.fromEntries(Object.entries(each).filter(([, inner]) => inner !== null)))

const namesIn = (where: Where): string[] => Object.entries(where).flatMap(([name, test]) =>
  ['and', 'or', 'nor'].includes(name) ? test.flatMap(namesIn) : [name.split('.')[0] as string])

const inOrder = (rows: readonly Row[], order: string): Row[] => {
  const [name = '', direction] = order.split(' ')
  const sign = direction === 'DESC' ? -1 : 1
  const rank = (a: unknown, b: unknown): number =>
    a === b ? 0 : a === null ? -1 : b === null ? 1 : (a as number) < (b as number) ? -1 : 1
  return [...rows].sort((a, b) => sign * rank(a[name] ?? null, b[name] ?? null) || a.id - b.id)
}

const refusal = [401]
const failure = [400, 403, 404, 409, 422]

export function expect (request: Request, situation: Situation): Expected {
  const { rows, notes, rules, person, isTenant } = situation
  const by = (method: string): Leave => judge(rules, method, person, rows, isTenant)
  const matches = (where: Where) => (row: Row): boolean => truth(row, where, undefined, rows) === true
  const shown = (leave: Leave, row: Row): Row =>
    Object.fromEntries(Object.entries(row).filter(([name]) => leave.reads(name)))
  const same = (status: readonly number[], body?: unknown): Expected =>
    ({ status, notes, ...(body === undefined ? {} : { body: plain(body) }) })
  const mayAsk = (leave: Leave, where: Where): boolean => namesIn(where).every(leave.reads)
  const replaced = (row: Row, after: Row): Row[] => notes.map(each => each === row ? after : each)
  const stored = (leave: Leave, row: Row, after: Row): Expected =>
    ({ status: [200], body: plain(shown(leave, after)), notes: replaced(row, after) })
  /** The names that are set may be set, or are seen to have that value. */
  const maySet = (leave: Leave, data: Row, row?: Row): boolean => Object.keys(data).every(name =>
    name === 'id' || leave.writes(name) || (row !== undefined && leave.passes(row) && leave.reads(name) && row[name] === data[name]))

  const creation = (leave: Leave, data: Row): Expected => {
    const row = { ...emptyNote, ...data, ...leave.preset }
    if (!leave.checks(row)) return same(failure)
    return { status: [200], body: plain(shown(leave, row)), notes: [...notes, row].sort((a, b) => a.id - b.id) }
  }
  const change = (leave: Leave, row: Row | undefined, after: (row: Row) => Row): Expected => {
    if (row === undefined || !leave.passes(row)) return same([404])
    const next = after(row)
    return leave.checks(next) ? stored(leave, row, next) : same([403])
  }

  switch (request.kind) {
    case 'find': {
      const leave = by('find')
      if (!leave.isAllowed) return same(refusal)
      if (!mayAsk(leave, request.where) || !leave.reads(request.order.split(' ')[0] as string)) return same([400])
      const found = inOrder(notes.filter(leave.passes).filter(matches(request.where)), request.order)
      return same([200], found.slice(0, request.limit).map(row => shown(leave, row)))
    }
    case 'count': {
      const leave = by('count')
      if (!leave.isAllowed) return same(refusal)
      if (!mayAsk(leave, request.where)) return same([400])
      return same([200], { count: notes.filter(leave.passes).filter(matches(request.where)).length })
    }
    case 'group': {
      const leave = by('aggregate')
      if (!leave.isAllowed) return same(refusal)
      if (!mayAsk(leave, { ...request.where, stars: 1 }) || !mayAsk(leave, request.where)) return same([400])
      const found = notes.filter(leave.passes).filter(matches(request.where))
      const stars = found.map(({ stars }) => stars).filter(each => each !== null)
      return same([200], [{ n: found.length, most: stars.length === 0 ? null : Math.max(...stars) }])
    }
    case 'findById': case 'exists': {
      const leave = by(request.kind)
      if (!leave.isAllowed) return same(refusal)
      const row = notes.find(({ id }) => id === request.id)
      const isThere = row !== undefined && leave.passes(row)
      if (request.kind === 'exists') return same([200], { exists: isThere })
      return isThere ? same([200], shown(leave, row)) : same([404])
    }
    case 'deleteById': {
      const leave = by('deleteById')
      if (!leave.isAllowed) return same(refusal)
      const row = notes.find(({ id }) => id === request.id)
      return row !== undefined && leave.passes(row)
        ? { status: [200], notes: notes.filter(each => each !== row) }
        : same([200, 404])
    }
    case 'create': {
      const leave = by('create')
      if (!leave.isAllowed) return same(refusal)
      const data = dataOf(request.data)
      if (!maySet(leave, data) || notes.some(({ id }) => id === request.id)) return same(failure)
      return creation(leave, { id: request.id, ...data })
    }
    case 'patch': case 'replace': {
      const leave = by(request.kind === 'patch' ? 'patchAttributes' : 'replaceById')
      if (!leave.isAllowed) return same(refusal)
      const data = dataOf(request.data)
      const row = notes.find(({ id }) => id === request.id)
      if (!maySet(leave, data, row)) return same([403, 404])
      return change(leave, row, row => request.kind === 'patch' ? { ...row, ...data } : replacedBy(leave, row, data))
    }
    case 'patchOrCreate': case 'replaceOrCreate': {
      const leave = by(request.kind)
      if (!leave.isAllowed) return same(refusal)
      const data = { id: request.id, ...dataOf(request.data) }
      const row = notes.find(({ id }) => id === request.id)
      if (!maySet(leave, data, row)) return same(failure)
      if (row === undefined) return creation(leave, data)
      if (!leave.passes(row)) return same(failure)
      return change(leave, row, row =>
        request.kind === 'patchOrCreate' ? { ...row, ...data } : replacedBy(leave, row, data))
    }
    case 'upsertWithWhere': {
      const leave = by('upsertWithWhere')
      if (!leave.isAllowed) return same(refusal)
      const data = dataOf(request.data)
      const found = notes.filter(leave.passes).filter(matches(request.where))
      const only = found.length > 1 ? undefined : found[0]
      if (!mayAsk(leave, request.where) || !maySet(leave, data, only)) return same(failure)
      if (found.length === 0) {
        const row = { ...emptyNote, ...data, ...leave.preset }
        return leave.checks(row)
          ? { status: [200], notes: [...notes, row], isNew: true }
          : same(failure)
      }
      return found.length > 1 ? same(failure) : change(leave, found[0], row => ({ ...row, ...data }))
    }
    case 'updateAll': {
      const leave = by('updateAll')
      if (!leave.isAllowed) return same(refusal)
      const data = dataOf(request.data)
      if (!mayAsk(leave, request.where)) return same([400, 403])
      if (!maySet(leave, data)) return same([403])
      const found = notes.filter(leave.passes).filter(matches(request.where))
      if (!found.every(row => leave.checks({ ...row, ...data }))) return same([403])
      return {
        status: [200],
        body: { count: found.length },
        notes: notes.map(row => found.includes(row) ? { ...row, ...data } : row)
      }
    }
    case 'include': case 'related': case 'relatedCount': {
      const leave = by('findById')
      const ofList = by(request.kind === 'relatedCount' ? 'count' : 'find')
      const isShut = request.kind === 'relatedCount' ? !ofList.isAllowed : !leave.isAllowed && !ofList.isAllowed
      if (request.kind === 'include' ? !leave.isAllowed : isShut) return same(refusal)
      if (!mayAsk(leave, request.where)) return same([400])
      const ofTeam = notes.filter(({ teamId }) => teamId === request.id)
      const found = ofTeam.filter(leave.passes).filter(matches(request.where))
      if (request.kind === 'relatedCount') return same([200], { count: found.length })
      const list = found.map(row => shown(leave, row))
      const team = rows.Team.find(({ id }) => id === request.id)
      return same([200], request.kind === 'related' ? list : { ...team, [isTenant ? 'deeds' : 'notes']: list })
    }
    case 'having': {
      const leave = by('findById')
      if (!leave.isAllowed) return same(refusal)
      if (!mayAsk(leave, request.where)) return same([400])
      const found = notes.filter(leave.passes).filter(matches(request.where))
      return same([200], rows.Team.filter(({ id }) => found.some(({ teamId }) => teamId === id)))
    }
  }
}

export const emptyNote: Row = { text: null, stars: null, userId: null, teamId: null, realm: null, secret: null }

/** What the caller may not set stays as it is. */
const replacedBy = (leave: Leave, row: Row, data: Row): Row => ({
  ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, leave.writes(name) ? null : value])),
  id: row.id,
  ...data
})
