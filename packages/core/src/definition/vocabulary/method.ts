/** What a remote method's definition may say. */
import { Type } from '@sinclair/typebox'
import { AssuranceVocabulary } from './acl.js'
import { Deprecated, Sentences, unread } from './kinds.js'

const flag = Type.Optional(Type.Boolean())

export const ArgumentVocabulary = Type.Object({
  arg: Type.Optional(Type.String({ description: 'Its name.' })),
  name: Type.Optional(Type.String({ description: 'Another word for "arg".' })),
  type: Type.Optional(Type.Unknown({ description: 'Of the value; as of a property, or "file".' })),
  required: flag,
  default: Type.Optional(Type.Unknown({ description: 'Told in the description of the API only.' })),
  description: Type.Optional(Sentences),
  root: flag,
  allowArray: flag,
  documented: flag,
  jsonSchema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  format: Type.Optional(Type.String({ description: 'A format of JSON Schema that the value must have.' })),
  enum: Type.Optional(Type.Array(Type.Unknown(), { description: 'The only values that are taken.' })),
  deprecated: Type.Optional(Type.Boolean({ description: 'Told in the description of the API.' })),
  http: Type.Optional(Type.Unknown({ description: 'Where it comes from: { "source": "body" }, or a function.' })),
  injectCtx: unread(flag, 'Write "http": "optionsFromRequest", or { "source": "context" }.'),
  json: Type.Optional(Type.Boolean({ description: 'Of a result of the type "ReadableStream": a stream of objects.' })),
  modelSchema: Type.Optional(Type.Unknown()),
  model: unread(Type.Optional(Type.Unknown()), 'Write the model as "type".')
})

const HttpVocabulary = Type.Object({
  verb: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
  status: Type.Optional(Type.Number()),
  errorStatus: Type.Optional(Type.Number()),
  source: Type.Optional(Type.Unknown())
})

export const MethodVocabulary = Type.Object({
  accepts: Type.Optional(Type.Union([ArgumentVocabulary, Type.Array(ArgumentVocabulary)])),
  returns: Type.Optional(Type.Union([ArgumentVocabulary, Type.Array(ArgumentVocabulary)])),
  http: Type.Optional(Type.Union([HttpVocabulary, Type.Array(HttpVocabulary)])),
  aliases: Type.Optional(Type.Array(Type.String())),
  name: Type.Optional(Type.String({ description: 'Its name, where methods are a list.' })),
  isStatic: flag,
  accessType: Type.Optional(Type.String()),
  accessScopes: Type.Optional(Type.Array(Type.String())),
  accessAssurance: AssuranceVocabulary,
  description: Type.Optional(Sentences),
  notes: Type.Optional(Sentences),
  documented: flag,
  deprecated: Type.Optional(Deprecated),
  shared: flag,
  root: unread(flag, 'Write it at one of "returns".'),
  rest: Type.Optional(Type.Unknown()),
  responses: Type.Optional(Type.Unknown({
    description: 'What further statuses mean: { "404": "There is no such user" }, or { "description", "headers", "body" } of each.'
  })),
  streams: unread(Type.Optional(Type.Unknown()), 'Say it of the result: { "type": "ReadableStream", "json": true }.'),
  run: Type.Optional(Type.Unknown({ description: 'In code: its function, which gets the arguments by name.' })),
  fn: unread(Type.Optional(Type.Unknown()), 'Write the function as "run", or as a function of the model.')
})
