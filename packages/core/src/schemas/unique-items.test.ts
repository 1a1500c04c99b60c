import t from 'tap'
import { sameText } from './unique-items.js'
import { Validators } from './validators.js'

const validate = new Validators().json({ type: 'object', properties: { list: { type: 'array', uniqueItems: true } } })
const found = (list: unknown[]): unknown => validate({ list })?.map(({ path, code, info }) => ({ path, code, info }))
const at = (i: number, j: number): unknown => [{ path: '.list', code: 'uniqueItems', info: { i, j } }]

t.test('what is the same', async t => {
  t.strictSame(found([1, 2, 1]), at(2, 0))
  t.strictSame(found([{ a: 1, b: [2, { c: null }] }, {}, { b: [2, { c: null }], a: 1 }]), at(2, 0))
  t.strictSame(found(['a', 'b', 'c', 'b', 'a']), at(3, 1), 'the first that comes again')
  t.strictSame(found([0, -0]), at(1, 0))
  t.strictSame(found([null, null]), at(1, 0))
  t.strictSame(found([new Date(5), new Date(5)]), at(1, 0))
  t.strictSame(found([Buffer.from('ab'), new Uint8Array([97, 98])]), at(1, 0))
})

t.test('what is not', async t => {
  t.equal(found([1, '1', true, 'true', null, 'null', [], {}, [1], ['1'], [[1]], { a: 1 }, { a: '1' }, '[1]', '{}']), undefined)
  t.equal(found([['a', 'b'], ['a,b'], ['a","b']]), undefined)
  t.equal(found([{ a: 'b', c: 'd' }, { 'a":"b","c': 'd' }]), undefined)
  t.equal(found([new Date(5), 5, 'date 5', Buffer.from('x'), 'bytes eA==']), undefined)
  t.equal(sameText({ a: undefined }), sameText({}))
  t.equal(new Validators().json({ type: 'array', uniqueItems: false })([1, 1]), undefined)
})

t.test('a list takes time that grows with its length', async t => {
  const list = (length: number): object[] => Array.from({ length }, (_, i) => ({ a: i }))
  const cost = (items: object[]): number => {
    const begun = process.cpuUsage()
    for (let i = 0; i < 3; i++) t.equal(found(items), undefined)
    return process.cpuUsage(begun).user
  }
  cost(list(2000))
  const [few, many] = [cost(list(2000)), cost(list(20_000))]
  t.ok(many < few * 40, `${few}, ${many} microseconds`)
})
