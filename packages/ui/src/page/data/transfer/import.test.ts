import fc from 'fast-check'
import t from 'tap'
import { ApiDescription } from '../../api/description.js'
import type { OpenApiDocument, Schema } from '../../../contracts/openapi.js'
import { DataModel } from '../models/models.js'
import { csvOf, parseCsv } from './csv.js'
import { checkAll, likelyMapping } from './import-check.js'
import { readSource } from './import-source.js'

const properties: Record<string, Schema> = {
  title: { type: 'string', minLength: 3 }, stars: { type: 'number', maximum: 5 }, done: { type: ['boolean', 'null'] },
  kind: { type: 'string', enum: ['private', 'work'] }, written: { type: 'string', format: 'date-time' },
  tags: { type: 'array', items: { type: 'string' } }, more: { type: 'object' }, authorId: { type: 'number' }
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
  components: { responses: {}, schemas: {} }
}
const description = new ApiDescription(document)
const model = new DataModel({
  name: 'Note', id: 'id', files: [], defaults: {}, lists: [], links: [],
  keys: [{ name: 'author', key: 'authorId', many: false, to: [{ model: 'Author', target: 'id' }] }]
}, description)
const fields = description.actions[0] === undefined ? [] : model.fieldsOf(description.actions[0])

async function check (text: string) {
  const source = await readSource(new File([text], 'notes'))
  const mapping = likelyMapping(source.names, fields)
  return await checkAll(source, mapping, fields, model, description, new AbortController().signal)
}

t.test('CSV comes back as it was, and runs in no spreadsheet', async t => {
  await fc.assert(fc.asyncProperty(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string()), { minLength: 1 }), async pairs => {
    const rows = pairs.map(([a, b]) => ({ a: `x${a}`, b: `y${b}` }))
    const text = await csvOf(['a', 'b'], rows)
    // A text that begins or ends with blanks is quoted, one with line ends keeps them.
    t.same((await parseCsv(text, 1000)).lines.slice(1), rows.map(({ a, b }) => [a, b]))
  }), { numRuns: 100 })
  for (const begin of ['=', '+', '-', '@', '\t', '\r']) {
    const text = await csvOf(['a'], [{ a: `${begin}HYPERLINK("x")` }])
    t.match(text.split('\r\n').slice(1).join('\r\n'), /^"?'/, JSON.stringify(begin))
    t.same((await parseCsv(text, 10)).lines[1], [`${begin}HYPERLINK("x")`], 'and is read without it')
  }
  t.equal(await csvOf(['a', 'b', 'c'], [{ a: -5, b: { c: 1 }, c: null }]), 'a,b,c\r\n-5,"{""c"":1}",')
})

t.test('delimiters, quotes, marks and empty lines of other programs', async t => {
  t.same((await parseCsv('\uFEFFtitle;stars\n\nTea;"4;5"\n', 10)).lines, [['title', 'stars'], ['Tea', '4;5']])
  t.match(await parseCsv('a\n1\n2\n3', 2), { lines: [['a'], ['1']], isCut: true })
  await t.rejects(parseCsv('a,b\n"1,2', 10), /Line/)
  const long = `a,b\n${Array.from({ length: 40_000 }, (_, index) => `${index},"x\n${index}"`).join('\n')}`
  t.same((await parseCsv(long, 50_000)).lines.at(-1), ['39999', 'x\n39999'], 'in several pieces')
})

t.test('columns are found by their names, and each property once', async t => {
  t.same(likelyMapping(['Title', 'author id', 'AUTHOR-ID', 'x'], fields), { Title: 'title', 'author id': 'authorId', 'AUTHOR-ID': '', x: '' })
})

t.test('texts become values, and what is wrong is said with its line', async t => {
  const rows = await check([
    'title,stars,done,kind,written,tags,more,authorId',
    'First,4.5,yes,work,2026-07-01T12:00:00Z,"a; b","{""a"":1}",2',
    'ab,9,maybe,other,never,[1,{,x',
    ',,,,,,,'
  ].join('\n'))
  t.same(rows[0], {
    at: 2, errors: [],
    body: { title: 'First', stars: 4.5, done: true, kind: 'work', written: '2026-07-01T12:00:00.000Z', tags: ['a', 'b'], more: { a: 1 }, authorId: 2 }
  })
  t.equal(rows[1]?.at, 3)
  t.same(rows[1]?.errors, [
    'title must have at least 3 characters', 'stars must be at most 5', 'done must be yes or no', 'kind must be one of private, work',
    'written must be a date', 'tags must be JSON', 'more must be JSON', 'authorId must be a number'
  ])
  t.equal(rows.length, 2, 'an empty line is none')
})

t.test('JSON: a list, lines, one object; hostile members are no properties', async t => {
  t.match(await check('[{"title":"One"},{"stars":"x"}]'), [{ body: { title: 'One' }, errors: [] }, { errors: ['stars must be a number', 'title is required'] }])
  t.match(await check('{"title":"One"}\n{"title":"Two"}\n'), [{ at: 1 }, { at: 2, body: { title: 'Two' } }])
  t.same((await check('{\n"title":"One"}')).length, 1)
  t.same((await check('[{"title":"One","__proto__":{"a":1},"constructor":2}]'))[0]?.body, { title: 'One' })
  await t.rejects(check('[1]'), /Row 1 is no object/)
  await t.rejects(check('[{'), /is no JSON/)
})
