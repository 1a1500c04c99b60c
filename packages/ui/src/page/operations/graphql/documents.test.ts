import { buildSchema, parse, validate } from 'graphql'
import t from 'tap'
import { documentOf, operationsIn } from './documents.js'

const schema = buildSchema(`
  type Query {
    notes (limit: Int): [Note!]!
    note (id: ID!, kind: Kind!, where: Where!): Note
    notesConnection: Connection
    count: Int
  }
  enum Kind { short long }
  input Where { title: String!, stars: [Int!]!, not: Where }
  type Note { id: ID!, title: String, author: Author, part (name: String!): String }
  type Author { name: String }
  type Connection { edges: [Edge] }
  type Edge { node: Note }
`)
const fields = schema.getQueryType()?.getFields() ?? {}

t.test('a document to begin with is one that the schema takes, for every field', async t => {
  for (const field of Object.values(fields)) {
    const document = documentOf('query', field)
    t.strictSame(validate(schema, parse(document)).map(({ message }) => message), [], document)
  }
  t.equal(documentOf('query', fields.notes as never), 'query {\n  notes {\n    id\n    title\n  }\n}\n')
  t.match(documentOf('query', fields.note as never), 'note(id: "1", kind: short, where: { title: "", stars: [] })')
})

t.test('the operations of a document', async t => {
  t.strictSame(operationsIn('query a { x } query b { y } fragment f on T { z }'), ['a', 'b'])
  t.strictSame(operationsIn('{ x }'), [])
  t.equal(operationsIn('{ x '), undefined)
})
