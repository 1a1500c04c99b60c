import t from 'tap'
import fc from 'fast-check'
import { ModelRegistry } from '../registry.js'
import type { Query } from './ast.js'
import { mergeFilters } from './merge.js'
import { keyCondition, narrowQuery, withSelected } from './narrow.js'
import { addsNothing, limited, OwnFilter, ownFilter } from './own-filter.js'
import { parseFilter } from './parse.js'

const registry = new ModelRegistry()
registry.defineModel({
  name: 'Book',
  properties: { id: { type: 'number', id: true }, title: 'string', year: 'number', pin: 'string', tags: ['number'] },
  hidden: ['pin'],
  relations: {
    author: { type: 'belongsTo', model: 'Book' },
    sequels: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' }
  }
})
const model = registry.getModel('Book').compiled
const read = (filter: object | undefined): Query => parseFilter(model, filter, model.parsing.internal)
const narrow = (filter: object | undefined, ...own: object[]): Query =>
  narrowQuery(model, read(filter), filter, own.map(json => new OwnFilter(model, json).addition), undefined)

const maybe = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> => fc.constantFrom(undefined, ...values)
const filters = fc.record({
  where: maybe<object>({}, { title: 'a' }, { year: { gt: '3' }, title: { like: 'b%' } }, { or: [{ id: 1 }, {}] }),
  order: maybe<unknown>('', null, [], 'title', ['year DESC', 'id']),
  fields: maybe<unknown>(null, [], ['title'], { title: true }, { year: false }),
  limit: maybe<unknown>(null, '', 0, 3, '7'),
  skip: maybe<unknown>(null, 0, 2),
  offset: maybe<unknown>(4),
  include: maybe<unknown>('author', ['author', 'sequels'], { relation: 'sequels', scope: { limit: 1 } }, { author: 'author' })
}).map(({ ...filter }) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)))

t.test('what is added to the tree is what is added to the filter as it is written', async t => {
  fc.assert(fc.property(fc.option(filters, { nil: undefined }), filters, filters, (asked, relation, scope) => {
    const merged = mergeFilters(mergeFilters(asked, relation), scope)
    t.strictSame(narrow(asked, relation, scope), read(merged), JSON.stringify([asked, relation, scope]))
  }), { numRuns: 300 })
})

t.test('keys', async t => {
  const [id, year] = [{ property: 'id' }, { property: 'year' }]
  t.equal(keyCondition(model, []), undefined)
  t.match(keyCondition(model, [{ id: '7' }]), { kind: 'compare', op: 'eq', path: id, value: 7 })
  t.match(keyCondition(model, [{ tags: '7' }]), { value: 7 }, 'one of a list')
  t.match(keyCondition(model, [{ id: 7 }, { year: 1, title: 'x' }]), {
    kind: 'and',
    conditions: [{ path: id }, { path: year }, { value: 'x' }]
  })
  t.match(keyCondition(model, [{ year: { inq: ['1', 2, 'none'] } }]), { kind: 'in', op: 'inq', path: year, values: [1, 2] })
  for (const none of [{ id: 'none' }, { id: { inq: [] } }, { id: { inq: ['none'] } }]) {
    t.same(keyCondition(model, [none]), { kind: 'or', conditions: [] }, 'a key that no row can have')
  }
  for (const written of [{ id: '7' }, { year: { inq: ['1', 2, 'none'] } }, { tags: 7 }, { other: 'x' }]) {
    t.strictSame(keyCondition(model, [written]), read({ where: written }).where, 'as the parser reads it')
  }
})

t.test('selections', async t => {
  const { select } = read({ fields: ['title'] })
  t.equal(withSelected(model, model.selectAll, 'pin'), model.selectAll)
  t.equal(withSelected(model, select, 'title'), select)
  t.equal(withSelected(model, select, 'id'), read({ fields: ['title', 'id'] }).select, 'the one object of the selection')
  t.equal(withSelected(model, select, 'other'), read({ fields: ['title', 'other'] }).select)
  t.equal(withSelected(model, read({ fields: ['b', 'title'] }).select, 'a'), read({ fields: ['title', 'a', 'b'] }).select)
  t.equal(withSelected(model, read({ fields: { year: false } }).select, 'year').extra, 'none')
  t.same(
    narrowQuery(model, read({ fields: ['title'] }), undefined, [{ ...addsNothing, join: 'id' }], undefined).select.names,
    ['id', 'title']
  )
})

t.test('the words of a caller that bind him', async t => {
  const { external } = model.parsing
  const wide = external.wide ?? external
  t.throws(() => parseFilter(model, { where: { pin: '1' } }, wide), { code: 'HIDDEN_PROPERTY_IN_QUERY' })
  t.throws(() => parseFilter(model, { order: 'pin' }, wide), { code: 'HIDDEN_PROPERTY_IN_QUERY' })
  t.equal(parseFilter(model, {}, external).select, model.selectVisible)
  t.equal(parseFilter(model, {}, wide).select, model.selectAll, 'read, and not shown')
  t.same(parseFilter(model, { fields: ['pin'] }, external).select.names, [])
  t.same(parseFilter(model, { fields: ['pin'] }, wide).select.names, ['pin'])
})

t.test('filters of definitions', async t => {
  const written = { where: { title: 'a' }, order: 'id', limit: 5, skip: 1 }
  const own = ownFilter(model, written)
  t.equal(ownFilter(model, written), own, 'read once')
  t.equal(own.addition, own.addition)
  t.not(ownFilter(model, { ...written }), own)
  registry.getModel('Book').observe('loaded', () => {})
  t.not(ownFilter(registry.getModel('Book').compiled, written), own, 'a model that changed is another')
  t.equal(own.written(), written, 'hooks see what is written')
  t.same(own.pageless.json, { where: { title: 'a' }, order: 'id' })
  t.equal(own.pageless, own.pageless)
  t.equal(own.pageless.addition.page, undefined)
  t.equal(own.pageless.pageless, own.pageless)
  t.same(own.onlyWhere.json, { where: { title: 'a' } })
  t.same(own.onlyWhere.addition, { ...addsNothing, where: own.addition.where })
  t.same(Object.entries(own.first.json), [['where', { title: 'a' }], ['order', 'id'], ['skip', 1], ['limit', 1]])
  t.match(narrowQuery(model, read({}), {}, [own.first.addition], undefined), { limit: 1, skip: 1 })
  t.same(limited(model, undefined, 3).json, { limit: 3 })
  const few = limited(model, own, 3).addition
  t.match(narrowQuery(model, read({ limit: 9 }), { limit: 9 }, [few], undefined), { limit: 3, skip: 1 })
  t.throws(() => new OwnFilter(model, { limit: -1 }).addition, /limit/)
})
