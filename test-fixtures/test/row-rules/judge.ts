/** What the rules of `world.ts` leave to a caller, in plain JavaScript: as the README of `@fastback/acl` says. */
import { truth, type Person, type Row, type Rows, type Rule, type Where } from './world.js'

/** What of a model's rows somebody may do with a method. */
export interface Leave {
  readonly isAllowed: boolean
  readonly passes: (row: Row) => boolean
  readonly checks: (row: Row) => boolean
  readonly preset: Row
  readonly reads: (name: string) => boolean
  readonly writes: (name: string) => boolean
}

const methods: Readonly<Record<string, 'READ' | 'WRITE'>> = {
  find: 'READ', findById: 'READ', exists: 'READ', count: 'READ', aggregate: 'READ',
  create: 'WRITE', patchAttributes: 'WRITE', replaceById: 'WRITE', updateAll: 'WRITE', deleteById: 'WRITE',
  patchOrCreate: 'WRITE', replaceOrCreate: 'WRITE', upsertWithWhere: 'WRITE'
}

const isIn = (person: Person, role: string): boolean =>
  role === '$everyone' || person.roles.includes(role) ||
  role === (person.id === undefined ? '$unauthenticated' : '$authenticated')

const principals = ['$everyone', '$authenticated', 'editor']
/** Rules of one rank are told apart by their permission alone. */
const rankOf = ({ property, accessType, principalId }: Rule): number =>
  (property === '*' ? 0 : 100) + (accessType === '*' ? 0 : 10) +
  principals.indexOf(principalId === '$unauthenticated' ? '$authenticated' : principalId === 'writer' ? 'editor' : principalId)
const permissions = ['ALLOW', 'ALARM', 'DENY']

interface Decision { readonly isAllowed: boolean, readonly giving: readonly Rule[], readonly taking: readonly Rule[] }

function decide (rules: readonly Rule[], method: string, person: Person): Decision {
  const sorted = rules
    .filter(rule => (rule.property === '*' || rule.property === method) && (rule.accessType === '*' || rule.accessType === methods[method]))
    .sort((a, b) => rankOf(b) - rankOf(a) || permissions.indexOf(b.permission) - permissions.indexOf(a.permission))
  const taking: Rule[] = []
  for (const rule of sorted) {
    if (!isIn(person, rule.principalId)) continue
    if (rule.permission === 'DENY') {
      if (rule.rows === undefined) return { isAllowed: false, giving: [], taking }
      taking.push(rule)
    } else {
      const giving = sorted.filter(each => each.permission !== 'DENY' && rankOf(each) === rankOf(rule) && isIn(person, each.principalId))
      return { isAllowed: true, giving, taking }
    }
  }
  return { isAllowed: true, giving: [], taking }
}

/**
 * What a caller may do with a method.
 * @param isTenant whether the rows have a tenant
 */
export function judge (rules: readonly Rule[], method: string, person: Person, rows: Rows, isTenant: boolean): Leave {
  const { isAllowed, giving, taking } = decide(rules, method, person)
  const holds = (where: Where | 'own' | undefined, row: Row): boolean | undefined =>
    where === undefined || (where === 'own' ? person.id !== undefined && row.userId === person.id : truth(row, where, person, rows))
  const ofTenant = (row: Row): boolean => !isTenant || (person.realm !== null && row.realm === person.realm)
  const left = (row: Row, partOf: (rule: Rule) => Where | 'own' | undefined): boolean =>
    isAllowed && ofTenant(row) && taking.every(({ rows }) => holds(rows, row) === false) &&
    (giving.length === 0 || giving.some(rule => holds(partOf(rule), row) === true))
  const values: Row = { '$user.id': person.id ?? null, '$user.realm': person.realm }
  const preset: Row = isTenant ? { realm: person.realm } : {}
  for (const each of giving) {
    for (const [name, value] of Object.entries(each.preset ?? {})) {
      if (!(name in preset)) preset[name] = typeof value === 'string' ? values[value] : value
    }
  }
  const reading = decide(rules, 'findById', person)
  const haveFields = rules.some(({ fields }) => fields?.read !== undefined)
  const isShut = !reading.isAllowed && haveFields
  const [ofMethod, ofReads] = [giving, reading.giving].map(each => fieldsOf(each, 'read'))
  return {
    isAllowed,
    passes: row => left(row, ({ rows }) => rows),
    checks: row => left(row, ({ rows, check }) => check ?? rows),
    preset,
    reads: name => name === 'id' || (!isShut && ofMethod?.(name) !== false && ofReads?.(name) !== false),
    writes: methods[method] === 'READ' ? () => true : fieldsOf(giving, 'write')
  }
}

/** The names that rules leave: those of one that gives all rows, or of every one. */
function fieldsOf (giving: readonly Rule[], key: 'read' | 'write'): (name: string) => boolean {
  const has = ({ fields }: Rule, name: string): boolean => {
    const list = fields?.[key]
    return list === undefined || name === 'id' || (!list.includes(`-${name}`) &&
      (list.includes('*') || list.includes(name) || list.every(each => each.startsWith('-'))))
  }
  const ofAll = giving.filter(({ rows }) => rows === undefined)
  return name => ofAll.some(rule => has(rule, name)) || giving.every(rule => has(rule, name))
}
