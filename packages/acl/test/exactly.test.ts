import t from 'tap'
import type { Condition } from '@fastback/core'
import { exactly } from '../src/rows/exactly.js'

const path = { property: 'team', path: [], type: { kind: 'string' }, declared: true } as const
const is = (value: string | number | null, isExact?: true): Condition =>
  ({ kind: 'compare', path, op: 'eq', value, ...(isExact === undefined ? {} : { isExact }) })
const isNot = (value: string, isExact?: true): Condition =>
  ({ kind: 'compare', path, op: 'neq', value, ...(isExact === undefined ? {} : { isExact }) })
const group = (kind: 'and' | 'or' | 'nor', ...conditions: Condition[]): Condition => ({ kind, conditions })
const related = (quantifier: 'some' | 'every' | 'none', condition: Condition): Condition =>
  ({ kind: 'related', relation: 'notes', quantifier, targets: [{ modelName: 'Note', where: {}, condition }] })

t.test('S-174 what gives rows is exact, and what takes them away takes all that are alike', t => {
  for (const [given, wanted] of [
    [is('a'), is('a', true)],
    [isNot('a'), isNot('a')],
    [group('and', is('a'), isNot('b')), group('and', is('a', true), isNot('b'))],
    [group('nor', is('a'), isNot('b')), group('nor', is('a'), isNot('b', true))],
    [group('nor', group('nor', is('a'))), group('nor', group('nor', is('a', true)))],
    [related('some', is('a')), related('some', is('a', true))],
    [related('every', is('a')), related('every', is('a', true))],
    [related('none', isNot('a')), related('none', isNot('a', true))]
  ] as const) t.strictSame(exactly(given), wanted)
  for (const same of [is(1), is(null), group('or'), group('nor', is('a')), group('and', is(2))]) {
    t.equal(exactly(same), same, 'nothing to change')
  }
  t.end()
})
