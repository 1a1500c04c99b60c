/** What a relation's definition may say. */
import { Type, type Static } from '@sinclair/typebox'
import { Flag, Keys, Nullable, Sentences, unread } from './kinds.js'

/**
 * The relation types. `list`: whether a relation leads to several rows; `holdsKey`: whether the row that has it holds
 * the key of the related ones.
 */
export const relationKinds = {
  belongsTo: { list: false, holdsKey: true },
  hasOne: { list: false, holdsKey: false },
  hasMany: { list: true, holdsKey: false },
  hasAndBelongsToMany: { list: true, holdsKey: false },
  embedsOne: { list: false, holdsKey: false },
  embedsMany: { list: true, holdsKey: false },
  referencesMany: { list: true, holdsKey: true }
} as const

export const relationTypes = Object.keys(relationKinds) as ReadonlyArray<keyof typeof relationKinds>

const name = (description: string) => Type.Optional(Nullable(Type.String({ description })))

const action = (description: string) =>
  Type.Union(['restrict', 'cascade', 'setNull'].map(each => Type.Literal(each)), { description })

const PolymorphicVocabulary = Type.Object({
  selector: name('The names that the two columns begin with.'),
  as: name('The older word for "selector".'),
  foreignKey: name('The column of the key.'),
  discriminator: name('The column of the model\'s name.'),
  idType: Type.Optional(Type.Unknown({ description: 'Type of the key\'s column.' })),
  idName: name('Name of the id on the other side.'),
  invert: Type.Optional(Type.Boolean()),
  models: Type.Optional(Type.Array(Type.String(), {
    description: 'The only models that the relation may lead to. Default: those that declare the other side (S-80).'
  }))
})

export const RelationOptionsVocabulary = Type.Object({
  disableInclude: Type.Optional(Type.Boolean({ description: 'Include of it is refused. Default: false.' })),
  nestRemoting: Type.Optional(Type.Boolean({ description: 'Methods of the related model have routes below it.' })),
  validate: Type.Optional(Type.Boolean({ description: 'Embedded data is validated. Default: true.' })),
  forceId: Type.Optional(Type.Boolean({ description: 'Callers choose no ids of embedded data.' })),
  persistent: Type.Optional(Type.Boolean({ description: 'Embedded data is stored in its own model, too.' })),
  autoId: Type.Optional(Type.Boolean({ description: 'Embedded data gets ids. Default: true.' })),
  property: Type.Optional(Type.Record(Type.String(), Type.Unknown(), {
    description: 'What else the property that holds embedded data says: { "description": "…" }.'
  })),
  default: Type.Optional(Type.Unknown()),
  invertProperties: Type.Optional(Flag),
  omitDefaultEmbeddedItem: Type.Optional(Type.Boolean()),
  belongsTo: name('Of embedded rows: their belongsTo relation to rows elsewhere, by which rows are added and removed.'),
  prepend: Type.Optional(Type.Boolean({ description: 'New rows come first. Default: false, last.' })),
  targetId: unread(name(''), 'Take it away.'),
  http: Type.Optional(Type.Object({ path: Type.Optional(Type.String()) }))
})

export const RelationVocabulary = Type.Object({
  type: Type.Union(relationTypes.map(each => Type.Literal(each)), { description: 'Kind of the relation.' }),
  model: name('The model that it leads to. Default: the singular of the relation\'s name.'),
  as: unread(name(''), 'The key that the relation stands under is its name.'),
  idType: unread(Type.Optional(Type.Unknown()), 'Write it below "polymorphic".'),
  foreignKey: name('Property that holds the key. Default: the name of one side and "Id".'),
  primaryKey: name('Property that the key refers to. Default: the id.'),
  through: Type.Optional(Type.Unknown({ description: 'The model that joins the two: its name, or its class.' })),
  throughTable: name('Its name where it is made for this relation.'),
  keyThrough: name('The key on the joining model that leads to the related one.'),
  polymorphic: Type.Optional(Nullable(Type.Union([Type.Boolean(), Type.String(), PolymorphicVocabulary]))),
  property: name('Property that holds embedded data.'),
  embed: unread(Type.Optional(Type.Boolean()), 'The type of the relation says it: "embedsOne", "embedsMany".', true),
  scope: Type.Optional(Type.Unknown({ description: 'A filter that holds for all reads.' })),
  properties: Type.Optional(Type.Unknown({ description: 'Properties that are copied to the related row.' })),
  invert: Type.Optional(Type.Boolean({ description: 'Polymorphic through: the keys change places.' })),
  invertProperties: Type.Optional(Flag),
  idName: name('Name of the id of embedded data.'),
  keyFrom: unread(name(''), 'Write "foreignKey", or "primaryKey".'),
  keyTo: unread(name(''), 'Write "foreignKey", or "primaryKey".'),
  default: Type.Optional(Type.Unknown({ description: 'Of embedsOne: the row that a new one begins with; of lists "options" say it.' })),
  methods: Type.Optional(Type.Unknown({ description: 'In code: functions of the accessor of one related row.' })),
  scopeMethods: Type.Optional(Type.Unknown({ description: 'In code: functions of the accessor of a related list.' })),
  onDelete: Type.Optional(action('What becomes of rows whose key leads to a row that is deleted. Default: they stay.')),
  onUpdate: Type.Optional(action('The same for a key that changes, in databases with "foreignKeys".')),
  foreignKeys: Type.Optional(Type.Boolean({
    description: 'Whether the database has a constraint. Default: the setting of the data source.'
  })),
  nestedWrite: Type.Optional(Type.Union([Type.Boolean(), Type.Literal('replace')], {
    description: 'Whether the data of a row may carry rows of the relation; "replace": PUT also removes those that it does not name. Default: false.'
  })),
  options: Type.Optional(Nullable(RelationOptionsVocabulary)),
  http: unread(Type.Optional(Keys), 'Write it below "options": { "http": { "path": "volumes" } }.'),
  acls: Type.Optional(Type.Unknown({ description: 'Rules of access of the methods of the relation.' })),
  description: Type.Optional(Sentences),
  modelThrough: unread(Type.Optional(Type.Unknown()), 'Write "through".', true),
  multiple: unread(Type.Optional(Type.Boolean()), 'The type of the relation says it.', true),
  params: unread(Type.Optional(Keys), 'Take it away.')
})

/** What is known of a relation's definition. */
export type RelationSettings = Static<typeof RelationVocabulary>
