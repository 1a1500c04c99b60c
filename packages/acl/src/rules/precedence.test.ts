/**
 * The compiled decision equals the rules of behaviour.md, B-5.3 to B-5.7, written down a second time in the plainest
 * way.
 */
import fc from 'fast-check'
import t from 'tap'
import { decide } from './decide.js'
import { compilePlan } from './plan.js'
import { ruleOf, type Permission, type Rule } from './rule.js'

const methods = ['find', 'findById', 'create', 'patchAttributes', 'peek', '__get__notes']
const roles = ['$everyone', '$authenticated', '$unauthenticated', '$owner', '$related', 'admin', 'teller']

interface Caller { user: string | undefined, app: string | undefined, roles: string[], owner: boolean }
interface Operation { names: string[], accessType: string }

const row = fc
  .record({
    property: fc.option(
      fc.oneof(
        fc.constant('*'),
        fc.constantFrom(...methods),
        fc.uniqueArray(fc.constantFrom(...methods), { minLength: 1, maxLength: 3 })
      ),
      { nil: undefined }
    ),
    accessType: fc.option(fc.constantFrom('*', 'READ', 'WRITE', 'EXECUTE'), { nil: undefined }),
    permission: fc.constantFrom('ALLOW', 'ALARM', 'AUDIT', 'DENY'),
    principal: fc.oneof(
      fc.record({ principalType: fc.constant('ROLE'), principalId: fc.constantFrom(...roles) }),
      fc.record({ principalType: fc.constant('USER'), principalId: fc.constantFrom('1', '2') }),
      fc.record({ principalType: fc.constant('APP'), principalId: fc.constantFrom('one', 'two') })
    )
  })
  .map(({ principal, ...rest }) => ({ ...rest, ...principal }))

const caller: fc.Arbitrary<Caller> = fc.record({
  user: fc.constantFrom(undefined, '1', '2'),
  app: fc.constantFrom(undefined, 'one'),
  roles: fc.subarray(['admin', 'teller']),
  owner: fc.boolean()
}).map(each => each.user === undefined ? { ...each, roles: [], owner: false } : each)

const operation: fc.Arbitrary<Operation> = fc
  .record({ name: fc.constantFrom(...methods), accessType: fc.constantFrom('READ', 'WRITE', 'EXECUTE') })
  .map(({ name, accessType }) => ({ names: [name], accessType }))

type Row = Record<string, unknown> & {
  permission: string
  principalType: string
  principalId: string
  declared: boolean
}

function isIn (role: string, { user, app, roles, owner }: Caller): boolean {
  const authenticated = user !== undefined || app !== undefined
  if (role === '$everyone') return true
  if (role === '$authenticated') return authenticated
  if (role === '$unauthenticated') return !authenticated
  if (role === '$owner') return owner
  return role !== '$related' && roles.includes(role)
}

const namesMethod = (row: Row): boolean => row.property !== undefined && row.property !== '*'
const namesType = (row: Row): boolean => row.accessType !== undefined && row.accessType !== '*'

/** The text of the notes, sentence by sentence. */
function reference (rows: Row[], { names, accessType }: Operation, caller: Caller, otherwise: string): string {
  const counting = rows.filter(row => {
    if (namesMethod(row) && ![row.property].flat().some(name => names.includes(name as string))) return false
    if (namesType(row) && row.accessType !== accessType) {
      const special = row.accessType === 'EXECUTE' && row.declared && (namesMethod(row) || row.permission === 'DENY')
      if (!special) return false
    }
    if (row.principalType === 'USER') return row.principalId === caller.user
    if (row.principalType === 'APP') return row.principalId === caller.app
    return isIn(row.principalId, caller)
  })
  const criteria: Array<(row: Row) => number> = [
    row => (namesMethod(row) ? 1 : 0),
    row => (namesType(row) ? 1 : 0),
    row => ['ROLE', 'APP', 'USER'].indexOf(row.principalType),
    row =>
      row.principalType !== 'ROLE'
        ? 0
        : row.principalId === '$everyone'
          ? 1
          : row.principalId.endsWith('authenticated')
            ? 2
            : row.principalId === '$related'
              ? 3
              : row.principalId === '$owner'
                ? 4
                : 5,
    row => ['ALLOW', 'ALARM', 'AUDIT', 'DENY'].indexOf(row.permission)
  ]
  let best = counting
  for (const criterion of criteria) {
    const top = Math.max(...best.map(criterion))
    best = best.filter(row => criterion(row) === top)
  }
  return best[0]?.permission ?? otherwise
}

t.test('the compiled decision is that of the rules of precedence', async t => {
  let allowed = 0
  let async = 0
  let byLogin = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(row, fc.boolean()), { maxLength: 8 }),
      operation,
      caller,
      fc.constantFrom<Permission[]>('ALLOW', 'DENY'),
      fc.boolean(),
      async (written, operation, caller, otherwise, later) => {
        const rules = written.map(([row, declared]) => ruleOf(row as never, declared))
        const plan = compilePlan(rules, operation, otherwise)
        const fits = (rule: Rule): boolean =>
          rule.principalType === 'ROLE'
            ? isIn(rule.principalId, caller)
            : (rule.principalType === 'USER' ? caller.user : caller.app) === rule.principalId
        if (later) async++
        const { permission } = await decide(plan, {
          fits: rule => (later ? Promise.resolve(fits(rule)) : fits(rule)),
          passes: () => false
        })
        const expected = reference(
          written.map(([row, declared]) => ({ ...row, declared })),
          operation,
          caller,
          otherwise
        )
        if (plan.always !== undefined && plan.always !== expected) {
          throw new Error(`known at start-up as ${plan.always}, but ${expected}`)
        }
        const known = plan.byLogin?.[isIn('$authenticated', caller) ? 'authenticated' : 'anonymous']
        if (known !== undefined) byLogin++
        if (known !== undefined && known.permission !== expected) {
          throw new Error(`known of a login as ${known.permission}, but ${expected}`)
        }
        if (expected !== 'DENY') allowed++
        if (permission !== expected) throw new Error(`${permission} instead of ${expected}`)
      }
    ),
    { numRuns: 6000 }
  )
  t.ok(allowed > 600 && allowed < 5400, 'both answers occur')
  t.ok(async > 1000)
  t.ok(byLogin > 100, `${byLogin} were known by login`)
})

t.test('the order in which rules are written does not matter', async t => {
  fc.assert(
    fc.property(
      fc
        .array(row, { maxLength: 6 })
        .chain(rows => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
      operation,
      caller,
      ([rows, shuffled], operation, caller) => {
        const answer = (list: typeof rows): unknown =>
          decide(
            compilePlan(
              list.map(each => ruleOf(each as never, true)),
              operation,
              'ALLOW'
            ),
            {
              passes: () => false,
              fits: rule =>
                rule.principalType === 'ROLE'
                  ? isIn(rule.principalId, caller)
                  : (rule.principalType === 'USER' ? caller.user : caller.app) === rule.principalId
            }
          )
        return (
          (answer(rows) as { permission: string }).permission ===
          (answer(shuffled) as { permission: string }).permission
        )
      }
    ),
    { numRuns: 1000 }
  )
})

t.test('what nobody understands opens nothing', async t => {
  t.equal(ruleOf({ permission: 'allow' } as any, true).permission, 'ALLOW')
  for (const permission of ['GRANT', '', undefined, null, {}]) {
    t.equal(ruleOf({ permission } as any, true).permission, 'DENY')
  }
})
