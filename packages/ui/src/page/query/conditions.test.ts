import fc from 'fast-check'
import t from 'tap'
import { ApiDescription } from '../api/description.js'
import type { OpenApiDocument, Schema } from '../../contracts/openapi.js'
import { conditionWords } from './condition-words.js'
import { changed, conditionsOf, groupOf, newTest, noConditions, whereOf, withPart, type Group } from './conditions.js'
import { hasWords, subjectsOf } from './subjects.js'

const text: Schema = { type: 'object', properties: { eq: {}, neq: {}, inq: {}, like: {}, exists: {}, options: {} } }
const number: Schema = { type: 'object', properties: { eq: {}, gt: {}, between: {}, exists: {} } }
const condition = (type: string, to: Schema): Schema => ({ anyOf: [{ type: [type, 'null'] }, to] })
const document: OpenApiDocument = {
  openapi: '3.1.0', info: { title: 'Notes', version: '1' }, servers: [], tags: [], paths: {},
  components: {
    responses: {},
    schemas: {
      Point: { type: 'object', properties: { near: {}, maxDistance: {}, unit: {} } },
      Note: { properties: { kind: { type: 'string', enum: ['private', 'work', null] }, done: { type: 'boolean' } } },
      AuthorWhere: { properties: { name: condition('string', text) } },
      NoteWhere: {
        properties: {
          title: condition('string', text), kind: condition('string', text), stars: condition('number', number),
          done: condition('boolean', number), at: { $ref: '#/components/schemas/Point' },
          author: { 'x-related': 'Author' }, authors: { 'x-related': 'Author', properties: { some: {} } },
          $search: {}, and: {}, or: {}
        }
      }
    }
  }
}
const description = new ApiDescription(document)
const where = { $ref: '#/components/schemas/NoteWhere' }
const subjects = subjectsOf(where, description, 'Note')

t.test('what conditions may be about, with operators and choices', async t => {
  t.same(subjects.map(({ label }) => label),
    ['title', 'kind', 'stars', 'done', 'at', 'author.name', 'authors (some).name'])
  t.same(subjects.map(({ choices }) => choices).slice(1, 4), [['private', 'work'], undefined, [true, false]])
  t.same(subjects[0]?.operators, ['', 'neq', 'inq', 'like', 'exists'])
  t.same(subjects[4]?.operators, ['near', 'maxDistance', 'unit'], 'a point is compared by its distance alone')
  t.ok(hasWords(where, description))
})

t.test('fields become a condition, with values of the property’s type', async t => {
  const of = (subject: string, operator: string, text: string) =>
    whereOf({ kind: 'test', id: 1, subject, operator, text }, subjects)
  t.same(of('title', 'like', '12'), { title: { like: '12' } })
  t.same(of('stars', 'gt', '12'), { stars: { gt: 12 } })
  t.same(of('stars', 'between', '1, 4'), { stars: { between: [1, 4] } })
  t.same(of('done', '', 'true'), { done: true })
  t.same(of('title', '', 'null'), { title: null })
  t.same(of('title', 'exists', 'false'), { title: { exists: false } })
  t.same(of('author.name', '', 'Ada'), { author: { name: 'Ada' } })
  t.same(of('authors (some).name', 'like', 'A%'), { authors: { some: { name: { like: 'A%' } } } })
  t.equal(of('title', '', ''), undefined, 'what is not filled in is none')
  t.equal(of('gone', '', '1'), undefined)
})

t.test('groups: all, one, and conditions on a distance that go together', async t => {
  let group: Group = noConditions
  for (let count = 0; count < 2; count++) group = withPart(group, 0, id => newTest(id, subjects))
  const [first, second] = group.parts
  const fill = (id: number | undefined, values: object): void => {
    group = changed(group, id as number, part => ({ ...part, ...values }))
  }
  fill(first?.id, { text: 'a' })
  fill(second?.id, { subject: 'stars', operator: 'gt', text: '1' })
  t.same(whereOf(group, subjects), { title: 'a', stars: { gt: 1 } })
  fill(second?.id, { subject: 'title', operator: 'like', text: 'b' })
  t.same(whereOf(group, subjects), { and: [{ title: 'a' }, { title: { like: 'b' } }] })
  fill(0, { by: 'or' })
  t.same(whereOf(group, subjects), { or: [{ title: 'a' }, { title: { like: 'b' } }] })
  fill(0, { by: 'and' })
  fill(first?.id, { subject: 'at', operator: 'near', text: '1,2' })
  fill(second?.id, { subject: 'at', operator: 'maxDistance', text: '5' })
  t.same(whereOf(group, subjects), { at: { near: '1,2', maxDistance: 5 } })
  t.same(changed(group, second?.id as number, () => undefined).parts.length, 1)
})

t.test('a condition is read back into fields; what these cannot show stays as it is', async t => {
  const test = fc.oneof(
    fc.record({ title: fc.record({ like: fc.constantFrom('a', 'b%', '12') }) }),
    fc.record({
      stars: fc.oneof(
        fc.integer(), fc.record({ gt: fc.integer() }), fc.record({ between: fc.tuple(fc.integer(), fc.integer()) }))
    }),
    fc.record({ authors: fc.record({ some: fc.record({ name: fc.constantFrom('Ada', 'Bo') }) }) }),
    fc.constant({ title: { regexp: '^a' } }), fc.constant({ title: 'a, b', $search: 'x' }), fc.constant({ title: ['a', { b: 1 }] }))
  const either = fc.record({ or: fc.array(test, { minLength: 2, maxLength: 3 }) })
  fc.assert(fc.property(fc.array(fc.oneof(test, either)), all => {
    t.same(conditionsOf(groupOf(all, subjects), subjects), all)
  }), { numRuns: 200 })
})

t.test('conditions in words', async t => {
  t.equal(conditionWords({ stars: { gte: 4 } }), 'stars ≥ 4')
  t.equal(conditionWords({ authorId: 3, kind: { inq: ['a', 'b'] } }), 'authorId is 3, kind is one of a, b')
  t.equal(conditionWords({ or: [{ a: 1 }, { b: { exists: false } }] }), 'a is 1 or b has no value')
  t.equal(conditionWords({ authors: { some: { name: { like: 'A%' } } } }), 'authors.name is like A%')
})
