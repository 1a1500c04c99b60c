import t from 'tap'
import { ApiDescription } from '../../api/description.js'
import { RefusedError } from '../../api/client.js'
import type { OpenApiDocument, Schema } from '../../../contracts/openapi.js'
import { DataModel } from '../models/models.js'
import type { Row } from '../models/properties.js'
import { draftsOf, type Draft, type TextDraft } from './draft.js'
import { bodyOf, complain, formValues, isChanged } from './form-values.js'

const properties: Record<string, Schema> = {
  title: { type: 'string' }, about: { type: ['string', 'null'] }, kind: { type: 'string', enum: ['private', 'work'] },
  done: { type: ['boolean', 'null'] }, stars: { type: 'number' }, big: { type: 'integer' },
  written: { type: 'string', format: 'date-time' }, tags: { type: 'array', items: { type: 'string' } },
  marks: { type: 'array', items: { type: 'number' } }, more: { type: 'object' },
  at: { anyOf: [{ $ref: '#/components/schemas/GeoPoint' }, { type: 'string' }, { type: 'null' }] },
  authorId: { type: 'number' }, memberIds: { type: 'array', items: { type: 'number' } },
  subjectId: { type: 'number' }, subjectType: { type: 'string' }, image: { type: 'object' }
}
const document: OpenApiDocument = {
  openapi: '3.1.0', info: { title: '', version: '' }, servers: [], tags: [],
  paths: {
    '/Notes': {
      post: {
        operationId: 'Note.create', tags: ['Note'], responses: {},
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object', required: ['title'], properties } } } }
      }
    }
  },
  components: { responses: {}, schemas: { GeoPoint: { type: 'object', properties: { lat: {}, lng: {} } } } }
}
const description = new ApiDescription(document)
const author = { model: 'Author', target: 'id' }
const model = new DataModel({
  name: 'Note', id: 'id', files: ['image'], defaults: {}, lists: [], links: [],
  keys: [
    { name: 'author', key: 'authorId', many: false, to: [author] },
    { name: 'members', key: 'memberIds', many: true, to: [author] },
    { name: 'subject', key: 'subjectId', many: false, discriminator: 'subjectType', to: [author, { model: 'Tag', target: 'id' }] }
  ]
}, description)
const action = description.actions[0]

function drafts (row: Row): Draft[] {
  return action === undefined
    ? []
    : draftsOf(model.fieldsOf(action).map(property => ({ property, current: row[property.name], model, description })))
}
const draft = (all: Draft[], name: string): Draft => all.find(({ properties }) => properties.includes(name)) as Draft
const type = (all: Draft[], name: string, text: string): void => { (draft(all, name) as TextDraft).text.value = text }

t.test('fields are what their properties are', async t => {
  const kinds = drafts({}).map(each => `${each.properties.join('+')} ${each.kind === 'text' ? each.of : each.kind}`)
  t.same(kinds, [
    'title text', 'about text', 'kind choice', 'done yes-no', 'stars number', 'big number', 'written moment', 'tags list',
    'marks list', 'more json', 'at point', 'authorId key', 'memberIds keys', 'subjectId+subjectType pair', 'image file'
  ])
})

t.test('a new row sends what was typed, with values of the right type', async t => {
  const all = drafts({})
  for (const [name, text] of Object.entries({
    title: 'A', kind: '1', done: '0', stars: ' 4.5', big: '12345678901234567890', written: '2026-07-01T14:30:00', tags: 'a\n\n b ',
    marks: '1\n2.5', more: '{"a":1}', at: '48.4, -9'
  })) type(all, name, text)
  const pair = draft(all, 'subjectId')
  if (pair.kind === 'pair') {
    pair.model.value = 'Tag'
    pair.chosen.value = { key: 2, label: 'later' }
  }
  t.same(formValues(all, undefined)?.values, {
    title: 'A', kind: 'work', done: true, stars: 4.5, big: '12345678901234567890', written: new Date(2026, 6, 1, 14, 30).toISOString(),
    tags: ['a', 'b'], marks: [1, 2.5], more: { a: 1 }, at: { lat: 48.4, lng: -9 }, subjectType: 'Tag', subjectId: 2
  })
})

t.test('what cannot be sent is said at its field', async t => {
  const wrong: ReadonlyArray<readonly [string, string, RegExp]> = [
    ['stars', 'many', /must be a number/], ['big', '1.5', /whole number/], ['marks', '1\nx', /number on each line/],
    ['more', '[1]', /must be an object/], ['more', '{', /is no JSON/], ['at', '91, 0', /latitude/], ['at', '1', /latitude/], ['at', ',', /latitude/]
  ]
  for (const [name, text, message] of wrong) {
    const all = drafts({})
    type(all, name, text)
    t.equal(formValues(all, undefined), undefined, `${name} ${text}`)
    t.match(draft(all, name).errors.value[name], message)
  }
  const all = drafts({})
  const pair = draft(all, 'subjectId')
  if (pair.kind === 'pair') pair.model.value = 'Tag'
  t.equal(formValues(all, undefined), undefined)
  t.match(pair.errors.value, { subjectId: 'must be a row of Tag' })
})

t.test('of a row that is there only what changed is sent, and what is emptied goes', async t => {
  const row = {
    title: 'Old', about: 'x', kind: 'work', stars: 3, written: '2026-07-01T12:30:00.123Z', tags: ['a\nb'], at: { lat: 1, lng: 2 },
    authorId: 1, memberIds: [1, 2], subjectType: 'Author', subjectId: 1
  }
  const all = drafts(row)
  t.same(formValues(all, row)?.values, {})
  t.notOk(isChanged(all, row, {}))
  t.equal((draft(all, 'tags') as TextDraft).of, 'json', 'an item with two lines is not one a line')
  type(all, 'title', 'New')
  type(all, 'about', '')
  type(all, 'kind', '')
  t.ok(isChanged(all, row, {}))
  t.same(formValues(all, row)?.values, { title: 'New', about: null, kind: null })
})

t.test('violations are at their fields, and what belongs to none is said', async t => {
  const all = drafts({})
  const said = complain(new RefusedError(422, 'Not valid', [
    { property: 'title', message: 'is required' }, { property: 'title', message: 'is short' }, { property: 'gone', message: 'is odd' },
    { property: undefined, message: 'the row is odd' }
  ]), all)
  t.equal(said, 'One field is not right. gone is odd the row is odd')
  t.equal(draft(all, 'title').errors.value.title, 'title is required; is short')
  t.equal(complain(new RefusedError(500, 'No', []), all), 'No')
})

t.test('files go in a form, with the row as JSON', async t => {
  const file = new File(['x'], 'x.txt')
  const form = bodyOf({ values: { title: 'A' }, files: [['image', file]] }) as FormData
  t.equal(form.get('data'), '{"title":"A"}')
  t.equal((form.get('image') as File).name, 'x.txt')
  t.same(bodyOf({ values: { title: 'A' }, files: [] }), { title: 'A' })
})
