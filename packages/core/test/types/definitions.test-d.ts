/**
 * Definitions that cannot be meant do not compile, and those beside them do. Checked by `tsc` alone (`npm run types`).
 *
 * What no type can know: names of mixins, data sources and connectors; content of connectors' own settings; names of
 * `models` in `app.register(core, { models })`; `principalId` of a role that the application makes; nested paths
 * (`'address.city'`); columns of a database; names in models that are open (`strict: false`), that extend a class or a
 * base the compiler does not know, and methods that code adds to a model that is not closed.
 */
import { Type } from '@sinclair/typebox'
import { defineModel, type ModelRegistry } from '@fastback/core'

const use = (..._values: unknown[]): void => {}
declare const registry: ModelRegistry

const Right = defineModel({
  name: 'DefRight',
  plural: 'rights',
  strict: 'filter',
  forceId: 'auto',
  properties: {
    title: { type: 'string', required: true, index: { unique: true }, mysql: { columnName: 'T' } },
    count: 'Number',
    at: { type: 'date', defaultFn: 'now' },
    day: 'dateOnly',
    tags: ['string'],
    place: { type: 'GeoPoint' },
    box: { w: 'number', h: { type: 'integer', default: 1 } },
    boxes: [{ w: 'number' }],
    other: 'DefOther',
    others: ['DefOther'],
    logo: { type: 'file', storage: 'files' },
    buffer: Buffer,
    code: { type: String, id: false },
    state: { type: 'string', enum: ['open', 'done'], 'x-colour': 'red' }
  },
  relations: {
    owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' },
    parent: { type: 'belongsTo', model: 'DefRight', onDelete: 'setNull' },
    others: { type: 'hasMany', model: 'DefOther', foreignKey: 'rightId', options: { nestRemoting: true } },
    subject: { type: 'belongsTo', polymorphic: true },
    many: { type: 'hasAndBelongsToMany', model: 'DefOther', through: 'DefRight' }
  },
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    { principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW', accessType: 'WRITE', property: ['finish', 'create', '__get__others', 'patchAttributes'] },
    { principalType: 'USER', principalId: 7, permission: 'ALLOW', property: '*' },
    { principalType: 'DefOther', principalId: 7, permission: 'ALLOW', property: 'prototype.finish' },
    { principalId: 'admin', permission: 'AUDIT', accessType: '*' }
  ],
  hidden: ['code', 'ownerId'],
  protected: ['count', 'id'],
  scopes: {
    fresh: { where: { count: { gt: 1 }, ownerId: 1, or: [{ title: 'x' }] }, order: ['at DESC', 'title'], limit: 5, include: 'others' },
    mine: () => ({ where: { title: 'x' } })
  },
  indexes: { byTitle: { keys: { title: 1, ownerId: -1 }, options: { unique: true } }, other: { columns: 'title, count' }, third: { at: -1 }, words: { text: ['title'], language: 'english' } },
  mixins: { TimeStamp: true },
  mongodb: { collection: 'rights' },
  methods: {
    total: { returns: { arg: 'count', type: 'number' }, http: { verb: 'get', path: '/total' }, accessType: 'READ', async run () { return await this.count() } },
    'prototype.finish': { accepts: [{ arg: 'why', type: 'string' }], async run ({ why }) { await this.patchAttributes({ title: why ?? '' }) } }
  }
})
const Boxed = defineModel({
  name: 'DefBoxed',
  base: 'DefRight',
  properties: Type.Object({ size: Type.Integer(), secret: Type.Optional(Type.String()) }),
  hidden: ['secret', 'title'],
  indexes: { bySize: { keys: { size: 1, title: 1 } } },
  acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', property: 'finish' }],
  options: { maxLimit: 100, strictDelete: true }
})
const Other = defineModel({ name: 'DefOther', base: 'User', properties: { nick: 'string' }, hidden: ['nick', 'password'] })
const Open = defineModel({ name: 'DefOpen', strict: false, properties: { a: 'string' }, hidden: ['whatever'], settingOfMine: 5 })
use(Right, Boxed, Other, Open)

declare module '@fastback/core' {
  interface ModelTypes { DefRight: typeof Right, DefBoxed: typeof Boxed, DefOther: typeof Other }
}

const wrongs = [
  // Properties
  // @ts-expect-error no such type
  defineModel({ name: 'DefW1', properties: { a: { type: 'strng' } } }),
  // @ts-expect-error no such type, in short
  defineModel({ name: 'DefW2', properties: { a: 'Strng' } }),
  // @ts-expect-error no such type in a list
  defineModel({ name: 'DefW3', properties: { a: ['numbr'] } }),
  // @ts-expect-error no such type of a member
  defineModel({ name: 'DefW4', properties: { a: { type: { w: 'nmber' } } } }),
  // @ts-expect-error no such model
  defineModel({ name: 'DefW5', properties: { a: { type: 'DefOhter' } } }),
  // @ts-expect-error no such key of a property
  defineModel({ name: 'DefW6', properties: { a: { type: 'string', requird: true } } }),
  // @ts-expect-error neither true nor false
  defineModel({ name: 'DefW7', properties: { a: { type: 'string', required: 'yes' } } }),
  // @ts-expect-error not a number
  defineModel({ name: 'DefW8', properties: { a: { type: 'string', maxLength: '5' } } }),
  // Relations
  // @ts-expect-error no such kind
  defineModel({ name: 'DefW9', properties: {}, relations: { a: { type: 'hasmany', model: 'DefOther' } } }),
  // @ts-expect-error no kind
  defineModel({ name: 'DefW10', properties: {}, relations: { a: { model: 'DefOther' } } }),
  // @ts-expect-error no such model
  defineModel({ name: 'DefW11', properties: {}, relations: { a: { type: 'hasMany', model: 'DefOhter' } } }),
  // @ts-expect-error no such key of a relation
  defineModel({ name: 'DefW12', properties: {}, relations: { a: { type: 'hasMany', model: 'DefOther', foriegnKey: 'aId' } } }),
  // @ts-expect-error no such action
  defineModel({ name: 'DefW13', properties: {}, relations: { a: { type: 'belongsTo', model: 'DefOther', onDelete: 'casacde' } } }),
  // @ts-expect-error no such model between them
  defineModel({ name: 'DefW14', properties: {}, relations: { a: { type: 'hasMany', model: 'DefOther', through: 'DefLink' } } }),
  // Rules
  // @ts-expect-error no such permission
  defineModel({ name: 'DefW15', properties: {}, acls: [{ principalId: '$everyone', permission: 'ALOW' }] }),
  // @ts-expect-error no permission
  defineModel({ name: 'DefW16', properties: {}, acls: [{ principalType: 'ROLE', principalId: '$everyone' }] }),
  // @ts-expect-error no such kind of access
  defineModel({ name: 'DefW17', properties: {}, acls: [{ principalId: '$everyone', permission: 'DENY', accessType: 'REED' }] }),
  // @ts-expect-error no such kind of principal
  defineModel({ name: 'DefW18', properties: {}, acls: [{ principalType: 'ROEL', principalId: 'x', permission: 'DENY' }] }),
  // @ts-expect-error no such user model
  defineModel({ name: 'DefW19', properties: {}, acls: [{ principalType: 'Staff', principalId: 1, permission: 'DENY' }] }),
  // @ts-expect-error no such method of a closed model
  defineModel({ name: 'DefW20', strict: true, properties: {}, acls: [{ principalId: 'x', permission: 'DENY', property: 'craete' }] }),
  // @ts-expect-error no such method in a list
  defineModel({ name: 'DefW21', properties: Type.Object({}), acls: [{ principalId: 'x', permission: 'DENY', property: ['find', 'finnd'] }] }),
  // @ts-expect-error no such key of a rule
  defineModel({ name: 'DefW22', properties: {}, acls: [{ principleId: 'x', permission: 'DENY' }] }),
  // Names of properties
  // @ts-expect-error no such property
  defineModel({ name: 'DefW23', properties: Type.Object({ secret: Type.String() }), hidden: ['secrte'] }),
  // @ts-expect-error no such property
  defineModel({ name: 'DefW24', properties: { secret: 'string' }, protected: ['secret', 'secrte'] }),
  // @ts-expect-error the base has no such property
  defineModel({ name: 'DefW25', base: 'DefRight', properties: {}, hidden: ['tilte'] }),
  // @ts-expect-error no such property of the model in JSON
  defineModel({ name: 'DefW26', properties: { title: 'string' }, indexes: { a: { keys: { tilte: 1 } } } }),
  // @ts-expect-error no such column
  defineModel({ name: 'DefW27', properties: { title: 'string' }, indexes: { a: { columns: 'title,tilte' } } }),
  // @ts-expect-error no such property to search
  defineModel({ name: 'DefW28b', properties: { title: 'string' }, indexes: { a: { text: ['title', 'tilte'] } } }),
  // @ts-expect-error no such property in short
  defineModel({ name: 'DefW28', properties: { title: 'string' }, indexes: { a: { tilte: -1 } } }),
  // Scopes
  // @ts-expect-error no such property
  defineModel({ name: 'DefW29', properties: { title: 'string' }, scopes: { a: { where: { tilte: 'x' } } } }),
  // @ts-expect-error a value of another type
  defineModel({ name: 'DefW30', properties: { rank: 'number' }, scopes: { a: { where: { rank: 'x' } } } }),
  // @ts-expect-error no such property to order by
  defineModel({ name: 'DefW31', properties: { rank: 'number' }, scopes: { a: { order: 'rnak DESC' } } }),
  // @ts-expect-error no such key of a filter
  defineModel({ name: 'DefW32', properties: { rank: 'number' }, scopes: { a: { lmit: 5 } } }),
  // @ts-expect-error no such relation
  defineModel({ name: 'DefW33', properties: { rank: 'number' }, scopes: { a: { include: 'ohters' } } }),
  // Settings
  // @ts-expect-error none of its words
  defineModel({ name: 'DefW34', properties: {}, strict: 'trow' }),
  // @ts-expect-error none of its words
  defineModel({ name: 'DefW35', properties: {}, forceId: 'always' }),
  // @ts-expect-error not a number
  defineModel({ name: 'DefW36', properties: {}, options: { maxLimit: '100' } }),
  // @ts-expect-error no such setting of a closed model
  defineModel({ name: 'DefW37', properties: Type.Object({}), replaceOnPut: true }),
  // @ts-expect-error no such setting under options
  defineModel({ name: 'DefW38', strict: true, properties: {}, options: { maxLimt: 10 } }),
  // @ts-expect-error no such base
  defineModel({ name: 'DefW39', base: 'Usr', properties: {} }),
  // @ts-expect-error none of its words
  defineModel({ name: 'DefW40', properties: {}, defaultPermission: 'allow' }),
  // Methods
  // @ts-expect-error no such verb
  defineModel({ name: 'DefW41', properties: {}, methods: { go: { http: { verb: 'gte' } } } }),
  // @ts-expect-error no such kind of access
  defineModel({ name: 'DefW42', properties: {}, methods: { go: { accessType: 'READS' } } }),
  // @ts-expect-error no such type of an argument
  defineModel({ name: 'DefW43', properties: {}, methods: { go: { accepts: [{ arg: 'a', type: 'strng' }] } } }),
  // @ts-expect-error no such type of a result
  defineModel({ name: 'DefW44', properties: {}, methods: { go: { returns: { arg: 'a', type: 'nmber' } } } }),
  // @ts-expect-error no such key of a method
  defineModel({ name: 'DefW45', properties: {}, methods: { go: { acepts: [] } } }),
  // The same where a registry makes the class
  // @ts-expect-error no such kind
  registry.defineModel({ name: 'DefW46', properties: {}, relations: { a: { type: 'hasmany', model: 'DefOther' } } }),
  // @ts-expect-error no such permission
  registry.defineModel({ name: 'DefW47', properties: {}, acls: [{ principalId: '$everyone', permission: 'allow' }] }),
  // @ts-expect-error none of its words
  registry.defineModel({ name: 'DefW48', properties: {}, strict: 'fitler' }),
  // @ts-expect-error no such property
  registry.defineModel({ name: 'DefW49', properties: { a: 'string' }, hidden: ['b'] })
]
use(wrongs)

const allow = (property: string | string[]) =>
  ({ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', property } as const)
/** A rule that a function makes: its names are known when it is there. */
export const WithMadeRules = defineModel({
  name: 'DefinitionsMadeRules',
  properties: Type.Object({ title: Type.String() }),
  acls: [allow('find'), allow(['create', 'count'])]
})
