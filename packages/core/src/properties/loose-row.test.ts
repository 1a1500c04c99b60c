import t from 'tap'
import { looseRow } from './loose-row.js'
import type { PropertyType } from './types.js'

const model = (types: Record<string, PropertyType>): any =>
  ({ properties: Object.entries(types).map(([name, type]) => ({ name, type })) })

t.test('values become what JSON has for the types of properties', async t => {
  const inner = model({ n: { kind: 'number' } })
  const outer = model({
    n: { kind: 'number' },
    big: { kind: 'integer' },
    word: { kind: 'string' },
    day: { kind: 'string', calendar: 'date' },
    done: { kind: 'boolean' },
    at: { kind: 'date' },
    list: { kind: 'array', items: { kind: 'number' } },
    any: { kind: 'array' },
    inner: { kind: 'model', model: 'Inner' },
    lost: { kind: 'model', model: 'Lost' },
    free: { kind: 'any' }
  })
  const loose = (row: object): object => looseRow(outer, row as never, name => name === 'Inner' ? inner : undefined)
  for (const [given, made] of [
    [{ n: '12.5', word: 5, done: '0', at: 0 }, { n: 12.5, word: '5', done: false, at: '1970-01-01T00:00:00.000Z' }],
    [{ list: '["1",2]', any: ['1'], free: '1' }, { list: [1, 2], any: ['1'], free: '1' }],
    [{ inner: { n: '1', x: '2' }, lost: { n: '1' } }, { inner: { n: 1, x: '2' }, lost: { n: '1' } }],
    [{ other: '1', n: null }, { other: '1', n: null }]
  ] as const) t.strictSame(loose(given), made)
  for (const same of [
    { n: 'x' }, { n: '' }, { n: { a: 1 } }, { big: '9007199254740993' }, { word: ['a'] }, { day: 5 }, { at: '2019-02-30' },
    { at: '' }, { list: 'x' }, { inner: 'x' }
  ]) t.strictSame(loose(same), same, JSON.stringify(same))
})
