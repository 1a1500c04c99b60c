import t from 'tap'
import type { Condition } from '../query/ast.js'
import { conditionText } from './query-text.js'

const equal = (value: unknown): Condition => ({
  kind: 'compare', op: 'eq', value: value as never,
  path: { property: 'at', path: [], declared: true, type: { kind: 'any' } as never }
})

t.test('values that are others have other texts', async t => {
  // Seen to fail: texts as JSON alone has them
  const values = [
    5, '5', 5n, null, NaN, Infinity, true, 'true', new Date(5), new Date(5).toISOString(), Buffer.from('a'), 'YQ==', [5], ['5']
  ]
  const texts = values.map(value => conditionText(equal(value)))
  t.equal(new Set(texts).size, values.length, texts.join(' '))
  t.equal(conditionText(equal(new Date(5))), conditionText(equal(new Date(5))))
  t.equal(conditionText(undefined), '')
})

t.test('instants that rules count from now on', async t => {
  t.not(conditionText(equal(new Date(5))), conditionText(equal(new Date(6))))
  t.equal(conditionText(equal(new Date(5)), false), conditionText(equal(new Date(6)), false))
})
