/**
 * Random rules about rows, random rows and callers, and what the rules mean, written down in plain JavaScript without
 * anything of the product: all rows are looked at, one after the other.
 */
import fc from 'fast-check'

export type Row = Record<string, any>
export type Where = Record<string, any>
export type Rows = Record<'Team' | 'Member' | 'Note', Row[]>

/** Who asks. `id` undefined: nobody. */
export interface Person {
  readonly id: number | undefined
  readonly realm: string | null
  readonly roles: readonly string[]
}

/** A rule as it is stored. */
export interface Rule {
  readonly principalId: string
  readonly permission: 'ALLOW' | 'DENY' | 'ALARM'
  readonly property: string
  readonly accessType: 'READ' | 'WRITE' | '*'
  readonly rows?: Where | 'own' | undefined
  readonly check?: Where | undefined
  readonly preset?: Row | undefined
  readonly fields?: { readonly read?: readonly string[], readonly write?: readonly string[] } | undefined
}

const id = { type: 'number', id: true, generated: false }
const noteProperties = {
  id, text: 'string', stars: 'number', userId: 'number', teamId: 'number', realm: 'string', secret: 'string'
}
const note = {
  properties: noteProperties,
  relations: { team: { type: 'belongsTo', model: 'Team', foreignKey: 'teamId' } },
  aggregates: true
}

/** `Deed` is a `Note` whose rows have a tenant. */
export const definitions = [
  {
    name: 'Team',
    properties: { id, name: 'string' },
    relations: {
      members: { type: 'hasMany', model: 'Member', foreignKey: 'teamId' },
      notes: { type: 'hasMany', model: 'Note', foreignKey: 'teamId' },
      deeds: { type: 'hasMany', model: 'Deed', foreignKey: 'teamId' }
    }
  },
  { name: 'Member', properties: { id, userId: 'number', teamId: 'number' } },
  { name: 'Note', ...note },
  { name: 'Deed', ...note, tenant: { property: 'realm', value: '$user.realm' } }
]

const texts = ['a', 'A', 'é', '', '$user.id']
const realms = ['red', 'blue']
const small = fc.integer({ min: 0, max: 3 })
const someSmall = fc.array(small, { minLength: 1, maxLength: 2 })
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null })
const userId = fc.integer({ min: 1, max: 3 })

const rowsOf = (arbitrary: fc.Arbitrary<Row>, most: number): fc.Arbitrary<Row[]> =>
  fc.array(arbitrary, { maxLength: most }).map(rows => rows.map((row, i) => ({ id: i + 1, ...row })))

const someNote = {
  text: orNull(fc.constantFrom(...texts)),
  stars: orNull(small),
  userId: orNull(userId),
  teamId: orNull(userId),
  realm: orNull(fc.constantFrom(...realms)),
  secret: orNull(fc.constantFrom('s', 't'))
}

export const someRows: fc.Arbitrary<Rows> = fc.record({
  Team: fc.constant([{ id: 1, name: 'one' }, { id: 2, name: 'two' }]),
  Member: rowsOf(fc.record({ userId, teamId: userId }), 4),
  Note: rowsOf(fc.record(someNote), 6)
})

/** Conditions of rules may have variables, those of requests have none. */
function someWhere (isRule: boolean): fc.Arbitrary<Where> {
  const variable = <T>(name: string, other: fc.Arbitrary<T>): fc.Arbitrary<T | string> =>
    isRule ? fc.oneof({ weight: 3, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: other }) : other
  const compared = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.oneof(
    { weight: 3, arbitrary: value }, { weight: 1, arbitrary: fc.record({ neq: value }) },
    { weight: 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant({ neq: null }) }
  )
  const leaf: fc.Arbitrary<Where> = fc.oneof(
    compared(variable('$user.id', userId)).map(test => ({ userId: test })),
    compared(variable('$user.realm', fc.constantFrom(...realms))).map(test => ({ realm: test })),
    fc.oneof(compared(small), fc.record({ gt: small }), fc.record({ inq: someSmall }))
      .map(test => ({ stars: test })),
    fc.constantFrom(...texts.slice(0, 4)).map(text => ({ text })),
    ...isRule
      ? [
          fc.constant({ 'team.members': { some: { userId: '$user.id' } } }),
          fc.constant({ 'team.members': { none: { userId: '$user.id' } } }),
          fc.constant({ text: { inq: '$roles' } }),
          fc.constant({ text: '$$user.id' })
        ]
      : [fc.constant({ 'team.name': 'one' }), fc.constant({ secret: 's' })]
  )
  const parts = fc.array(leaf, { minLength: 1, maxLength: 2 })
  const joined = fc.record({ kind: fc.constantFrom('and', 'or', 'nor'), parts })
    .map(({ kind, parts }) => ({ [kind]: parts }))
  return fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: joined })
}

const someFields = fc.record({
  read: fc.option(fc.constantFrom(['*', '-secret'], ['text', 'stars'], ['*'], ['-stars', '-team']), { nil: undefined }),
  write: fc.option(fc.constantFrom(['text', 'stars'], ['*', '-realm'], ['*']), { nil: undefined })
})

const someRule: fc.Arbitrary<Rule> = fc.record({
  principalId: fc.constantFrom('editor', 'writer', '$authenticated', '$unauthenticated', '$everyone', '$everyone', '$everyone'),
  permission: fc.constantFrom('ALLOW' as const, 'ALLOW' as const, 'ALARM' as const, 'DENY' as const),
  property: fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    { weight: 1, arbitrary: fc.constantFrom('find', 'findById', 'create', 'patchAttributes', 'updateAll', 'deleteById', 'count') }
  ),
  accessType: fc.constantFrom('READ' as const, 'WRITE' as const, '*' as const),
  rows: fc.option(
    fc.oneof({ weight: 1, arbitrary: fc.constant('own' as const) }, { weight: 4, arbitrary: someWhere(true) }),
    { nil: undefined }
  ),
  check: fc.option(someWhere(true), { nil: undefined, freq: 1 }),
  preset: fc.option(fc.constantFrom({ userId: '$user.id' }, { realm: '$user.realm', stars: 2 }), { nil: undefined, freq: 1 }),
  fields: fc.option(someFields, { nil: undefined })
}).map(rule => {
  const { principalId, permission, property, accessType, rows } = rule
  return permission === 'DENY' ? { principalId, permission, property, accessType, rows } : rule
})

const denyAll: Rule = { principalId: '$everyone', permission: 'DENY', property: '*', accessType: '*' }

export const someRules: fc.Arbitrary<Rule[]> = fc.tuple(fc.array(someRule, { minLength: 1, maxLength: 4 }), fc.nat(2))
  .map(([rules, third]) => third === 0 ? [denyAll, ...rules] : rules)
  // Without a rule about rows, relations leave it to the model that has them.
  .filter(rules => rules.some(namesRows))

/** Whether a rule is about rows or properties. */
export const namesRows = ({ rows, check, preset, fields }: Rule): boolean =>
  [rows, check, preset, fields].some(each => each !== undefined)

/** The people are the same ones, with other roles and tenants each time. */
export const somePeople: fc.Arbitrary<Person[]> = fc.tuple(...[1, 2, 3].map(id => fc.record({
  id: fc.constant(id), realm: orNull(fc.constantFrom(...realms)), roles: fc.subarray(['editor', 'writer'])
}))).map(people => [...people, { id: undefined, realm: null, roles: [] }])

const someData = fc.record(someNote, { requiredKeys: [] })
const someId = fc.integer({ min: 1, max: 7 })

/** Half of the requests are about all rows. */
const someAsked = fc.option(someWhere(false), { nil: {}, freq: 1 })

/** What somebody asks for. */
export type Request =
  | { readonly kind: 'find', readonly where: Where, readonly order: string, readonly limit: number | undefined }
  | { readonly kind: 'count' | 'group' | 'updateAll' | 'upsertWithWhere', readonly where: Where, readonly data: Row }
  | { readonly kind: 'findById' | 'exists' | 'deleteById', readonly id: number }
  | { readonly kind: 'patch' | 'replace' | 'create' | 'patchOrCreate' | 'replaceOrCreate', readonly id: number, readonly data: Row }
  | { readonly kind: 'include' | 'related' | 'relatedCount' | 'having', readonly id: number, readonly where: Where }

const kind = <const T extends string>(...kinds: T[]): fc.Arbitrary<T> => fc.constantFrom(...kinds)

export const someRequest: fc.Arbitrary<Request> = fc.oneof(
  fc.record({
    kind: kind('find'), where: someAsked, order: fc.constantFrom('id', 'id DESC', 'stars', 'secret DESC'),
    limit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined })
  }),
  fc.record({ kind: kind('count', 'group', 'updateAll', 'upsertWithWhere'), where: someAsked, data: someData }),
  fc.record({ kind: kind('findById', 'exists', 'deleteById'), id: someId }),
  fc.record({ kind: kind('patch', 'replace', 'create', 'patchOrCreate', 'replaceOrCreate'), id: someId, data: someData }),
  fc.record({ kind: kind('include', 'related', 'relatedCount', 'having'), id: fc.integer({ min: 1, max: 2 }), where: someAsked })
)

/** True, false, or undefined: it hangs on a value that the caller has not. */
type Truth = boolean | undefined

const not = (truth: Truth): Truth => truth === undefined ? undefined : !truth
const every = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(undefined) ? undefined : true
const some = (truths: readonly Truth[]): Truth => not(every(truths.map(not)))

/** Whether a row passes a condition. */
export function truth (row: Row, where: Where, person: Person | undefined, rows: Rows): Truth {
  return every(Object.entries(where).map(([name, test]): Truth => {
    const all = (): Truth[] => test.map((each: Where) => truth(row, each, person, rows))
    if (name === 'and') return every(all())
    if (name === 'or') return some(all())
    if (name === 'nor') return not(some(all()))
    if (name === 'team.name') return rows.Team.some(team => team.id === row.teamId && team.name === test)
    if (name === 'team.members') return members(row, test, person, rows)
    return compare(row[name] ?? null, test, person)
  }))
}

/** A relation that asks for a value that is missing is neither true nor false. */
function members (row: Row, test: Where, person: Person | undefined, rows: Rows): Truth {
  const isTeam = rows.Team.some(({ id }) => id === row.teamId)
  const [quantifier] = Object.keys(test)
  if (person?.id === undefined) return undefined
  const isMember = rows.Member.some(({ teamId, userId }) => teamId === row.teamId && userId === person.id)
  return isTeam && (quantifier === 'some' ? isMember : !isMember)
}

function compare (value: unknown, test: any, person: Person | undefined): Truth {
  const said = (written: unknown): unknown => person === undefined || typeof written !== 'string'
    ? written
    : written === '$user.id'
      ? person.id
      : written === '$user.realm'
        ? person.realm ?? undefined
        : written.startsWith('$$') ? written.slice(1) : written
  const [operator, written] = test !== null && typeof test === 'object' ? Object.entries(test)[0] as [string, any] : ['eq', test]
  if (written === '$roles') return false
  const wanted = said(written)
  if (wanted === undefined) return undefined
  switch (operator) {
    case 'eq': return value === wanted
    case 'neq': return value !== wanted
    case 'gt': return value !== null && (value as number) > (wanted as number)
    case 'inq': return (wanted as unknown[]).includes(value)
    default: throw new Error(operator)
  }
}
