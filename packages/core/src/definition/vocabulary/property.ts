/** What a property's definition may say. */
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Deprecated, Flag, Nullable, Sentences, unread } from './kinds.js'

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const size = (description: string) => Type.Optional(Nullable(Type.Number({ description })))

/** What stores are told in a block of their own; LoopBack's connectors read some of it beside that. */
const ofColumn = <T extends TSchema>(schema: T, example: string): T =>
  unread(schema, `It is read in the block of the connector: "mysql": { ${example} }.`, true)

export const PropertyVocabulary = Type.Object({
  type: Type.Optional(Type.Unknown({
    description: 'A name ("string", "number", "date", "geopoint", a model), a list of one (["string"]), or an object of members.'
  })),
  id: Type.Optional(Flag),
  generated: flag('The store makes the value of this id. Default: true for an injected id.'),
  required: Type.Optional(Type.Union([
    Type.Boolean(), Type.Null(), Type.Object({ message: Type.Optional(Type.String()) })
  ], { description: 'Rows without it are refused; an object says the message. Default: false.' })),
  default: Type.Optional(Type.Unknown({ description: 'Value of new rows that do not say it.' })),
  defaultFn: text('What makes the value of new rows: guid, uuid, uuidv4, now, shortid, nanoid, or a function of the model.'),
  hidden: flag('Never in a response, and not to be queried.'),
  protected: flag('In a response for the row itself, and left out where the row is included in another.'),
  index: Type.Optional(Type.Union([
    Type.Boolean(), Type.Object({ unique: Type.Optional(Type.Boolean()) }), Type.String(), Type.Number()
  ], { description: 'Whether the store has an index of it, with the options of that.' })),
  unique: flag('No two rows have the same value. Default: false.'),
  // LoopBack's connectors make columns by these, and discovery tells them.
  length: size('Of the column, for connectors made for LoopBack. Fastback\'s own take it from their block: "mysql": { "dataType": "varchar(40)" }; "maxLength" is for values.'),
  precision: size('Digits of a numeric column, for connectors made for LoopBack; in a block as "dataType".'),
  scale: size('Digits after the point of a numeric column, for connectors made for LoopBack; in a block as "dataType".'),
  minLength: size('Shortest text that is taken.'),
  maxLength: size('Longest text that is taken.'),
  minimum: size('Smallest number that is taken.'),
  maximum: size('Largest number that is taken.'),
  exclusiveMinimum: size('The number must be larger.'),
  exclusiveMaximum: size('The number must be smaller.'),
  multipleOf: size('The number must be a multiple.'),
  minItems: size('Fewest items of a list.'),
  maxItems: size('Most items of a list.'),
  uniqueItems: flag('No item of a list occurs twice.'),
  pattern: text('A regular expression that the text must match.'),
  format: text('A format of JSON Schema that the value must have, such as "email", "uri", "uuid" or "ipv4"; of a list its items.'),
  enum: Type.Optional(Type.Array(Type.Unknown(), { description: 'The only values that are taken.' })),
  jsonSchema: Type.Optional(Type.Record(Type.String(), Type.Unknown(), {
    description: 'Further keywords of JSON Schema for the value.'
  })),
  bodySchema: Type.Optional(Type.Record(Type.String(), Type.Unknown(), {
    description: 'Keywords of JSON Schema for what clients send, where the store has another form of it, such as a hash.'
  })),
  storage: text('Of a property of the type "file" or ["file"]: the data source that keeps its files.'),
  container: text('Where the storage keeps the files. Default: the plural of the model, in lower case.'),
  accept: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], {
    description: 'Media types of files that are taken, such as "image/png" or "image/*". Default: all.'
  })),
  maxSize: Type.Optional(Type.Union([Type.Number(), Type.String()], {
    description: 'Bytes of a file, also as "5mb". Default: 10 MiB.'
  })),
  description: Type.Optional(Sentences),
  doc: Type.Optional(Type.Union([Sentences, Type.Null()], { description: 'The older word for "description".' })),
  comments: Type.Optional(Type.Union([Sentences, Type.Null()], { description: 'The same, as generators of tables write it.' })),
  deprecated: Type.Optional(Deprecated),
  sealed: Type.Optional(Type.Union([
    Type.Boolean(),
    Type.Object({
      searchable: flag('Whether rows are found by the whole value (eq, neq, inq, nin), by a keyed hash of it. Default: false.')
    }, { additionalProperties: false })
  ], { description: 'Encrypted at rest, with the keys of the setting "sealing": texts and JSON. Nothing is sorted, grouped or searched by it. Default: false.' })),
  applyDefaultOnWrites: flag('False: the default is not stored. Default: true.'),
  persistDefaultValues: flag('False: values that equal the default are not stored. Default: true.'),
  useDefaultIdType: flag('A foreign key has the type of ids of the store.'),
  updateOnly: flag('Callers cannot set it when they create a row.'),
  readOnly: flag('Clients do not set it: the setting "readOnlyProperties" says what becomes of values that they send.'),
  computed: flag('The store works it out, as a generated column: clients send it as they read it, or not at all; what differs is refused.'),
  writeOnce: flag('Clients set it when they create a row, or while it has no value, and do not change it.'),
  name: unread(text(''), 'The key is the name: take it away.', true),
  dataType: ofColumn(text(''), '"dataType": "varchar(40)"'),
  dataLength: ofColumn(size(''), '"dataType": "varchar(40)"'),
  dataPrecision: ofColumn(size(''), '"dataType": "decimal(10,2)"'),
  dataScale: ofColumn(size(''), '"dataType": "decimal(10,2)"'),
  columnName: ofColumn(text(''), '"columnName": "full_name"'),
  fieldName: unread(text(''), 'It is read in the block of the connector: "mongodb": { "fieldName": "full_name" }.'),
  autoIncrement: unread(flag(''), 'Write "generated": true, beside "id".'),
  uppercase: flag('Texts are stored in capital letters; conditions are compared so, too.'),
  lowercase: flag('Texts are stored in small letters; conditions are compared so, too.'),
  trim: flag('Texts are stored without blanks around them; conditions are compared so, too.'),
  itemType: unread(Type.Optional(Type.Unknown()), 'Write the type of a list as "type": ["string"].'),
  nullable: unread(
    Type.Optional(Type.Union([Type.Boolean(), Type.String()])), 'A property that is not "required" may be null.', true
  ),
  nestedKey: unread(text(''), 'Take it away.'),
  acls: Type.Optional(Type.Unknown({ description: 'Rules of access of the methods that write the property.' })),
  _selectable: unread(Type.Optional(Type.Boolean()), 'Discovery writes it: take it away.', true)
})

/** What is known of a property's definition. */
export type PropertySettings = Static<typeof PropertyVocabulary>
