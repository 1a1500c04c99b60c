/** What a property's definition may say. */
import { Type, type Static } from '@sinclair/typebox'
import { Flag, Nullable, Sentences } from './kinds.js'

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const size = (description: string) => Type.Optional(Nullable(Type.Number({ description })))

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
  hidden: flag('Never in an answer, and not to be queried.'),
  protected: flag('In an answer for the row itself, and left out where the row is included in another.'),
  index: Type.Optional(Type.Union([
    Type.Boolean(), Type.Object({ unique: Type.Optional(Type.Boolean()) }), Type.String(), Type.Number()
  ], { description: 'Whether the store has an index of it, with the options of that.' })),
  unique: flag('No two rows have the same value. Default: false.'),
  length: size('Of the column. Default: as the store has it.'),
  precision: size('Digits of a numeric column.'),
  scale: size('Digits after the point of a numeric column.'),
  minLength: size('Shortest text that is taken.'),
  maxLength: size('Longest text that is taken.'),
  minimum: size('Smallest number that is taken.'),
  maximum: size('Largest number that is taken.'),
  exclusiveMinimum: size('The number must be larger.'),
  exclusiveMaximum: size('The number must be smaller.'),
  multipleOf: size('The number must be a multiple.'),
  minItems: size('Fewest items of a list.'),
  maxItems: size('Most items of a list.'),
  pattern: text('A regular expression that the text must match.'),
  format: text('A format of JSON Schema, such as "email" or "uuid".'),
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
  doc: Type.Optional(Sentences),
  comments: Type.Optional(Sentences),
  deprecated: flag('Told in the description of the API.'),
  applyDefaultOnWrites: flag('False: the default is not stored. Default: true.'),
  persistDefaultValues: flag('False: values that equal the default are not stored. Default: true.'),
  useDefaultIdType: flag('A foreign key has the type of ids of the store.'),
  updateOnly: flag('Callers cannot set it when they create a row.'),
  readOnly: flag('Clients do not set it: the setting "readOnlyProperties" says what becomes of values that they send.'),
  computed: flag('The store works it out, as a generated column: clients send it as they read it, or not at all; what differs is refused.'),
  writeOnce: flag('Clients set it when they create a row, or while it has no value, and do not change it.'),
  name: text('Ignored; the key is the name.'),
  dataType: text('Type of the column.'),
  dataLength: size('Length of the column.'),
  dataPrecision: size('Digits of the column.'),
  dataScale: size('Digits after the point of the column.'),
  columnName: text('Name of the column.'),
  fieldName: text('Name of the field.'),
  autoIncrement: flag('The store counts the value up.'),
  uppercase: flag('Carried along.'),
  lowercase: flag('Carried along.'),
  trim: flag('Carried along.'),
  itemType: Type.Optional(Type.Unknown()),
  nullable: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
  nestedKey: text('Carried along.'),
  acls: Type.Optional(Type.Unknown()),
  _selectable: Type.Optional(Type.Boolean({ description: 'Written by discovery; ignored.' }))
})

/** What is known of a property's definition. */
export type PropertySettings = Static<typeof PropertyVocabulary>
