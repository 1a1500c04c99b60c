/** Tests of policies put together: what is always true or never is left out where it says nothing. */
import type { CallerValue, PolicyTest } from '@fastback/core'
import { callerSettings } from '@fastback/core/connector'
import type { Variable } from '../rows/variables.js'

/** What rules say that policies cannot: a sentence without its subject. */
export class Unsayable extends Error {}

export const always: PolicyTest = { kind: 'and', tests: [] }
export const never: PolicyTest = { kind: 'or', tests: [] }

const isGroup = (test: PolicyTest, kind: 'and' | 'or'): boolean =>
  test.kind === kind && test.tests.length === 0

export const isAlways = (test: PolicyTest): boolean => isGroup(test, 'and')
const isNever = (test: PolicyTest): boolean => isGroup(test, 'or')

export const allOf = (tests: readonly PolicyTest[]): PolicyTest => joined('and', tests, isNever, isAlways)
export const anyOf = (tests: readonly PolicyTest[]): PolicyTest => joined('or', tests, isAlways, isNever)

function joined (
  kind: 'and' | 'or', tests: readonly PolicyTest[], decides: (test: PolicyTest) => boolean,
  saysNothing: (test: PolicyTest) => boolean
): PolicyTest {
  const deciding = tests.find(decides)
  if (deciding !== undefined) return deciding
  const known = new Map(tests.filter(test => !saysNothing(test)).map(test => [keyOf(test), test]))
  const [first] = known.values()
  return known.size === 1 && first !== undefined ? first : { kind, tests: [...known.values()] }
}

/** Models stand in tests, and lead to everything. */
const keyOf = (test: PolicyTest): string => JSON.stringify(test, (key, value: unknown) =>
  key === 'model' ? (value as { name?: string }).name : key === 'type' ? undefined : typeof value === 'bigint' ? String(value) : value)

export const notOf = (test: PolicyTest): PolicyTest =>
  isAlways(test) ? never : isNever(test) ? always : test.kind === 'not' ? test.test : { kind: 'not', test }

const { userId, clientId, user, token } = callerSettings

/** Where the value of a variable stands in the database. */
export function callerValue (variable: Variable): CallerValue {
  switch (variable.of) {
    case 'user': return variable.property === 'id'
      ? { of: 'setting', name: userId }
      : { of: 'member', name: user, member: variable.property }
    case 'token': return { of: 'member', name: token, member: variable.property }
    case 'client': return { of: 'setting', name: clientId }
    case 'roles': return { of: 'roles' }
    case 'now': return { of: 'now', milliseconds: variable.milliseconds }
  }
}

export const isWriting: PolicyTest = { kind: 'setting', name: callerSettings.writes, is: 'on' }
