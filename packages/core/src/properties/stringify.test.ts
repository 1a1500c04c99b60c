import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import fc from 'fast-check'
import { fakeModel, type Models } from '../../test/helpers/fake-model.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { setIncluded } from '../instances/included.js'
import type { Row } from './types.js'
import { dateWriter, writeRecords, writeText, writeValue } from './write-json.js'

const models: Models = new Map()
const author = fakeModel(
  models,
  'Author',
  { name: 'string', phone: 'string', pin: 'string', id: { type: 'number', id: true } },
  { hidden: ['pin'], protected: ['phone'] }
)
const book = fakeModel(
  models,
  'Book',
  {
    title: 'string',
    price: 'number',
    sold: 'boolean',
    at: 'date',
    cover: 'buffer',
    spot: 'geopoint',
    meta: 'object',
    anything: 'any',
    tags: ['string'],
    days: ['date'],
    editor: 'Author',
    readers: ['Author'],
    dims: { w: 'number' },
    cost: 'number',
    margin: 'number',
    toString: 'string',
    remarks: ['object'],
    id: { type: 'number', id: true, generated: true }
  },
  {
    hidden: ['cost', 'undeclaredSecret', 'hiddenRelation'],
    protected: ['margin', 'undeclaredProtected'],
    relations: {
      author: { type: 'belongsTo', definition: {}, target: () => ({ compiled: author }) },
      remarks: { type: 'hasMany', definition: {}, target: () => ({ compiled: author }) },
      hiddenRelation: { type: 'hasMany', definition: {}, target: () => ({ compiled: author }) },
      subject: {
        type: 'belongsTo',
        definition: { polymorphic: { discriminator: 'subjectType' } },
        target: () => undefined
      }
    }
  }
)
const text = (row: Row, included = false): string => book.stringify(row, included)
const ann = { id: 1, name: 'Ann', phone: '111', pin: '1234' }

t.test('values by kind', async t => {
  t.equal(text({}), '{}')
  t.equal(
    text({ id: 1, title: 'x', price: 1.5, sold: true, at: new Date(0) }),
    '{"title":"x","price":1.5,"sold":true,"at":"1970-01-01T00:00:00.000Z","id":1}',
    'in the order of the definition'
  )
  t.equal(
    text({ title: null, price: null, at: null, meta: null, editor: null, readers: null }),
    '{"title":null,"price":null,"at":null,"meta":null,"editor":null,"readers":null}'
  )
  t.equal(text({ title: undefined, price: NaN, at: new Date(NaN) }), '{"price":null,"at":null}')
  t.equal(
    text({ price: 9007199254740993n, id: 5n }),
    '{"price":"9007199254740993","id":5}',
    'no client reads another number'
  )
  t.equal(
    text({ title: 5, price: 'x', sold: 'y', at: '2020', tags: 'z', days: 1, editor: 'e', readers: 'r' }),
    '{"title":5,"price":"x","sold":"y","at":"2020","tags":"z","days":1,"editor":"e","readers":"r"}',
    'whatever stands there is written'
  )
  t.equal(text({ title: 'a"b\\c\n\u0001é茶😀\ud800' }), JSON.stringify({ title: 'a"b\\c\n\u0001é茶😀\ud800' }))
  t.strictSame(
    JSON.parse(
      text({
        cover: Buffer.from('hi'),
        spot: { lat: 1, lng: 2 },
        tags: ['a', null],
        days: [new Date(0), null],
        dims: { w: 1 }
      })
    ),
    {
      cover: 'aGk=',
      spot: { lat: 1, lng: 2 },
      tags: ['a', null],
      days: ['1970-01-01T00:00:00.000Z', null],
      dims: { w: 1 }
    }
  )
  t.equal(text({ meta: { toJSON: 'x', then: 1, n: 5n } }), '{"meta":{"toJSON":"x","then":1,"n":5}}')
})

t.test('properties that are not declared', async t => {
  t.equal(
    text({ z: 1, title: 'x', a: [new Date(0)], u: undefined, f () {}, [Symbol('s')]: 1 }),
    '{"title":"x","z":1,"a":["1970-01-01T00:00:00.000Z"]}'
  )
  t.equal(
    text({ then: 'a', toJSON: 'b', save: 'c', hasOwnProperty: 'd', constructor: 'e', __data: 'f' }),
    '{"then":"a","toJSON":"b","save":"c","hasOwnProperty":"d","constructor":"e","__data":"f"}'
  )
  t.equal(text({ toString: 'mine' }), '{"toString":"mine"}')
  const closed = fakeModel(models, 'Closed', { a: 'number' }, { unknown: 'refuse' })
  t.equal(closed.stringify({ a: 1, b: 2 }, false), '{"a":1}')
  t.strictSame(closed.toPlain({ a: 1, b: 2 }, { hidden: true, included: false }), { a: 1 })
})

t.test('hidden and protected properties', async t => {
  const row = { title: 'x', cost: 1, margin: 2, undeclaredSecret: 3, undeclaredProtected: 4 }
  t.equal(text(row), '{"title":"x","margin":2,"undeclaredProtected":4}')
  t.equal(text(row, true), '{"title":"x"}')
  t.strictSame(book.toPlain(row, { hidden: true, included: false }), row)
  t.strictSame(book.toPlain(row, { hidden: false, included: false }), { title: 'x', margin: 2, undeclaredProtected: 4 })
  t.strictSame(book.toPlain(row, { hidden: false, included: true }), { title: 'x' })
  t.equal(
    text({ editor: ann, readers: [ann, null] }),
    '{"editor":{"name":"Ann","id":1},"readers":[{"name":"Ann","id":1},null]}'
  )
  t.strictSame(book.toPlain({ editor: ann, readers: [ann, null] }, { hidden: false, included: false }), {
    editor: { name: 'Ann', id: 1 },
    readers: [{ name: 'Ann', id: 1 }, null]
  })
})

t.test('what include loaded', async t => {
  const row: Row = { id: 1, remarks: [{ own: 1 }] }
  setIncluded(row, 'author', ann)
  t.equal(text(row), '{"remarks":[{"own":1}],"id":1,"author":{"name":"Ann","id":1}}')
  setIncluded(row, 'remarks', [ann, ann])
  t.equal(
    text(row),
    '{"id":1,"author":{"name":"Ann","id":1},"remarks":[{"name":"Ann","id":1},{"name":"Ann","id":1}]}',
    'takes the place of a property of its name'
  )
  setIncluded(row, 'author', undefined)
  setIncluded(row, 'remarks', null)
  setIncluded(row, 'hiddenRelation', [ann])
  t.equal(text(row), '{"id":1,"remarks":null}')
  t.strictSame(book.toPlain(row, { hidden: false, included: false }), { id: 1, remarks: null })
  t.strictSame(book.toPlain(row, { hidden: true, included: false }), {
    id: 1,
    remarks: null,
    hiddenRelation: [{ name: 'Ann', pin: '1234', id: 1 }]
  })

  const alone: Row = {}
  setIncluded(alone, 'author', ann)
  t.equal(text(alone), '{"author":{"name":"Ann","id":1}}')

  t.test('of several models', async t => {
    const by = (holder: Row, value: Row): string => { setIncluded(holder, 'subject', value); return text(holder) }
    t.equal(
      by({ subjectType: 'Author' }, ann),
      '{"subjectType":"Author","subject":{"name":"Ann","id":1}}',
      'by discriminator'
    )
    class AuthorClass { static readonly compiled: CompiledModel = author }
    t.equal(
      by({}, Object.assign(Object.create(AuthorClass.prototype), ann) as Row),
      '{"subject":{"name":"Ann","id":1}}',
      'by the class of the instance'
    )
    t.equal(
      by({ subjectType: 'Nobody' }, ann),
      '{"subjectType":"Nobody","subject":null}',
      'a row of unknown kind may hold secrets'
    )
    t.equal(by({}, { ...ann, constructor: AuthorClass }), '{"subject":null}')
  })
})

t.test('instances', async t => {
  class Instance { method (): void {} }
  Object.assign(Instance.prototype, { enumerable () {}, inherited: 'no data' })
  t.equal(text(Object.assign(new Instance(), { title: 'x', own: 1 }) as unknown as Row), '{"title":"x","own":1}')
})

t.test('text is what JSON.stringify makes of the plain object', async t => {
  const holds = <T>(property: fc.IProperty<T>): void => {
    t.doesNotThrow(() => {
      fc.assert(property, { numRuns: 300 })
    })
  }
  const date = fc.date({
    min: new Date('-000400-01-01T00:00:00Z'),
    max: new Date('+012000-01-01T00:00:00Z'),
    noInvalidDate: false
  })
  const json = fc.jsonValue() as fc.Arbitrary<unknown>
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.boolean(),
    date,
    json,
    fc.constant(null),
    fc.constant(undefined),
    fc.constant(() => 1),
    fc.uint8Array({ maxLength: 3 }).map(bytes => Buffer.from(bytes))
  )
  const key = fc.oneof(
    fc.constantFrom(...book.properties.map(property => property.name).filter(name => name !== 'cover')),
    fc.constantFrom('toJSON', 'then', 'constructor', 'undeclaredSecret'),
    fc.string()
  )
  const nested = fc.record(
    { name: value, pin: fc.constant('a secret'), phone: value, id: value, more: value },
    { requiredKeys: [] }
  )
  const rowOf = fc
    .tuple(fc.dictionary(key, value), fc.option(nested), fc.option(fc.array(nested)), fc.boolean())
    .map(([row, editor, readers, included]) => {
      const whole: Row = { ...row, editor, readers }
      if (editor !== null) setIncluded(whole, 'author', editor)
      return { whole, included }
    })
  holds(fc.property(rowOf, ({ whole, included }) => {
    const written = book.stringify(whole, included)
    const plain = JSON.stringify(book.toPlain(whole, { hidden: false, included }))
    // Numbers as names come first in a plain object, so the texts may differ in order, but not in length.
    return (
      isDeepStrictEqual(JSON.parse(written), JSON.parse(plain)) &&
      written.length === plain.length &&
      !written.includes('a secret')
    )
  }))
  holds(fc.property(fc.array(date), dates => {
    const write = dateWriter()
    return dates.every(each => write(each) === JSON.stringify(each))
  }))
  holds(fc.property(fc.string({ unit: 'binary' }), string => writeText(string) === JSON.stringify(string)))
  holds(fc.property(json, each => writeValue(each) === JSON.stringify(each)))
  const member = fc.oneof(json, date, fc.constant(undefined))
  const records = fc.array(fc.string().filter(name => name !== '__proto__'), { maxLength: 4 }).chain(names =>
    fc.array(fc.record(Object.fromEntries(names.map(name => [name, member]))), { maxLength: 4 }))
  holds(fc.property(records, rows => writeRecords(rows) === JSON.stringify(rows)))
})

t.test('a list of records has large numbers as texts', async t => {
  t.equal(writeRecords([{ n: 2n ** 60n, at: new Date(0) }]), '[{"n":"1152921504606846976","at":"1970-01-01T00:00:00.000Z"}]')
})
