/**
 * The same as definitions.test-d.ts, of definitions whose properties are a TypeBox object, area by area, and what that
 * file has of no JSON form. Checked by `tsc` alone (`npm run types`), in TypeScript 5.9 and 7.
 *
 * What no type can know stands there; besides: keywords of TypeBox' own options (`Type.String({ minLenght: 1 })`) and
 * settings beside a schema (`Property(…, { hiden: true })`), which take any name; a default of another type.
 */
import { Type } from '@sinclair/typebox'
import { defineModel, Property } from '@fastback/core'

const use = (..._values: unknown[]): void => {}
declare const word: string
declare module '@fastback/core' { interface ModelTypes { TbRight: typeof Right, TbOther: typeof Other } }

const title = Type.String({ minLength: 1 })
const Right = defineModel({
  name: 'TbRight',
  strict: 'throw',
  properties: Type.Object({
    title,
    count: Property(Type.Integer(), { default: 0, index: true }),
    at: Type.Optional(Type.Date()),
    tags: Type.Array(Type.String()),
    state: Type.Union([Type.Literal('open'), Type.Null()])
  }),
  relations: {
    other: { type: 'belongsTo', model: 'TbOther', onDelete: 'restrict' },
    others: { type: 'hasMany', model: 'TbOther', foreignKey: 'rightId', through: 'TbRight' },
    one: { type: 'hasOne', model: 'TbOther' },
    refs: { type: 'referencesMany', model: 'TbOther' },
    box: { type: 'embedsOne', model: 'TbOther', property: 'boxed' },
    user: { type: 'belongsTo', model: 'User' }
  },
  acls: [
    { principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW', accessType: 'WRITE', property: ['create', 'go', '__create__others', 'title'] },
    { principalType: 'TbOther', principalId: 5, permission: 'DENY', property: 'prototype.patchAttributes' },
    { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', rows: 'own', check: 'own', enforce: false },
    {
      principalType: 'ROLE',
      principalId: '$authenticated',
      permission: 'ALLOW',
      rows: { or: [{ userId: '$user.id' }, { others: { some: { nick: '$user.nick' } }, at: { gt: '$now-30d' } }] },
      check: { count: '$user.id', 'other.nick': 'x' },
      preset: { userId: '$user.id', count: 1 },
      fields: { read: ['*', '-count'], write: ['title', 'tags'] }
    }
  ],
  hidden: ['count', 'otherId', 'id'],
  protected: ['tags'],
  scopes: {
    open: {
      where: { state: 'open', count: { gt: 1 }, 'tags.0': 'x' },
      order: ['at DESC', 'count'],
      include: ['other', 'others'],
      fields: { title: true }
    }
  },
  indexes: { a: { keys: { title: 1, at: -1 } }, b: { columns: 'title, count' }, c: { otherId: 1 } },
  methods: {
    go: {
      accepts: Type.Object({ x: Type.Number() }), returns: Type.Object({ y: Type.Number() }), run: ({ x }) => ({ y: x })
    }
  }
})
const Other = defineModel({
  name: 'TbOther',
  base: 'User',
  properties: { nick: title, size: Type.Optional(Type.Number()), born: 'date' },
  strict: false,
  hidden: ['anything'],
  settings: { strict: false, forceId: true, maxLimit: 5 }
})
use(Right, Other)

const properties = Type.Object({ title: Type.String(), count: Type.Optional(Type.Number()), state: Type.Union([Type.Literal('open'), Type.Literal('done')]) })
const wrongs = [
  // Types of properties
  // @ts-expect-error a TypeBox object holds schemas
  defineModel({ name: 'TbW1', properties: Type.Object({ title: 'string' }) }),
  // @ts-expect-error no such type, beside a schema
  defineModel({ name: 'TbW2', properties: { title: Type.String(), count: 'nmber' } }),
  // @ts-expect-error no object
  defineModel({ name: 'TbW3', properties: Type.String() }),
  // @ts-expect-error neither true nor false
  defineModel({ name: 'TbW4', properties: Type.Object({ title: Property(Type.String(), { hidden: 'yes' }) }) }),
  // @ts-expect-error a text
  defineModel({ name: 'TbW5', properties: Type.Object({ title: Property(Type.String(), { defaultFn: 5 }) }) }),
  // Relations
  // @ts-expect-error no such kind
  defineModel({ name: 'TbW6', properties, relations: { a: { type: 'hasmany', model: 'TbOther' } } }),
  // @ts-expect-error no such model
  defineModel({ name: 'TbW7', properties, relations: { a: { type: 'belongsTo', model: 'TbOhter' } } }),
  // @ts-expect-error no such model between them
  defineModel({ name: 'TbW8', properties, relations: { a: { type: 'hasMany', model: 'TbOther', through: 'TbLink' } } }),
  // @ts-expect-error no such action
  defineModel({ name: 'TbW9', properties, relations: { a: { type: 'belongsTo', model: 'TbOther', onDelete: 'CASCADE' } } }),
  // @ts-expect-error a key is a text
  defineModel({ name: 'TbW10', properties, relations: { a: { type: 'belongsTo', model: 'TbOther', foreignKey: 5 } } }),
  // Rules
  // @ts-expect-error no such kind of principal
  defineModel({ name: 'TbW11', properties, acls: [{ principalType: 'Role', principalId: '$everyone', permission: 'ALLOW' }] }),
  // @ts-expect-error no such user model
  defineModel({ name: 'TbW12', properties, acls: [{ principalType: 'TbOhter', principalId: 1, permission: 'ALLOW' }] }),
  // @ts-expect-error no such permission
  defineModel({ name: 'TbW13', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOWED' }] }),
  // @ts-expect-error no such kind of access
  defineModel({ name: 'TbW14', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', accessType: 'CREATE' }] }),
  // @ts-expect-error no such method
  defineModel({ name: 'TbW15', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', property: 'prototype.patchAttribute' }] }),
  // @ts-expect-error no such relation
  defineModel({ name: 'TbW16', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', property: '__get__others' }] }),
  // @ts-expect-error no such word for rows
  defineModel({ name: 'TbW130', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', rows: 'mine' }] }),
  // @ts-expect-error no such property in the condition
  defineModel({ name: 'TbW131', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', rows: { or: [{ onwerId: '$user.id' }] } }] }),
  // @ts-expect-error no such property in the check
  defineModel({ name: 'TbW132', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', check: { onwerId: '$user.id' } }] }),
  // @ts-expect-error no such property to set
  defineModel({ name: 'TbW133', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', preset: { onwerId: '$user.id' } }] }),
  // @ts-expect-error no such property to read
  defineModel({ name: 'TbW134', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', fields: { read: ['*', '-salery'] } }] }),
  // @ts-expect-error fields are read and written
  defineModel({ name: 'TbW135', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', fields: { reed: ['*'] } }] }),
  // @ts-expect-error true or false
  defineModel({ name: 'TbW136', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', enforce: 'no' }] }),
  // @ts-expect-error no such verb of a relation
  defineModel({ name: 'TbW17', base: 'TbRight', properties, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', property: '__fetch__others' }] }),
  // Names of properties
  // @ts-expect-error no such property
  defineModel({ name: 'TbW18', properties, hidden: ['titel'] }),
  // @ts-expect-error no such property
  defineModel({ name: 'TbW19', properties, protected: ['title', 'titel'] }),
  // @ts-expect-error no such property, under settings
  defineModel({ name: 'TbW20', properties, settings: { hidden: ['titel'] } }),
  // @ts-expect-error no such property, under options
  defineModel({ name: 'TbW21', properties, options: { protected: ['titel'] } }),
  // @ts-expect-error no such property, by LoopBack's older name
  defineModel({ name: 'TbW22', properties, hiddenProperties: ['titel'] }),
  // @ts-expect-error names are texts
  defineModel({ name: 'TbW23', properties, hidden: [5] }),
  // @ts-expect-error a list of names
  defineModel({ name: 'TbW53', properties, hidden: 'title' }),
  // @ts-expect-error an object of relations
  defineModel({ name: 'TbW54', properties, relations: 'others' }),
  // @ts-expect-error a text
  defineModel({ name: 'TbW55', properties, plural: 5 }),
  // @ts-expect-error an object of settings
  defineModel({ name: 'TbW56', properties: { a: 'string' }, settings: true }),
  // @ts-expect-error a list of rules
  defineModel({ name: 'TbW57', properties: { a: 'string' }, acls: 'DENY' }),
  // @ts-expect-error a model that nobody logs in with
  defineModel({ name: 'TbW58', properties: { a: 'string' }, acls: [{ principalType: 'AccessToken', principalId: 'x', permission: 'DENY' }] }),
  // Scopes
  // @ts-expect-error no such property
  defineModel({ name: 'TbW24', properties, scopes: { a: { where: { titel: 'x' } } } }),
  // @ts-expect-error none of its values
  defineModel({ name: 'TbW25', properties, scopes: { a: { where: { state: 'opne' } } } }),
  // @ts-expect-error no such property, in a list of conditions
  defineModel({ name: 'TbW26', properties, scopes: { a: { where: { or: [{ title: 'x' }, { titel: 'x' }] } } } }),
  // @ts-expect-error no such property
  defineModel({ name: 'TbW27', properties, scopes: { a: { order: ['title', 'titel DESC'] } } }),
  // @ts-expect-error no such direction
  defineModel({ name: 'TbW28', properties, scopes: { a: { order: 'title DSC' } } }),
  // @ts-expect-error no such property
  defineModel({ name: 'TbW29', properties, scopes: { a: { fields: ['titel'] } } }),
  // @ts-expect-error no such property
  defineModel({ name: 'TbW30', properties, scopes: { a: { fields: { titel: true } } } }),
  // @ts-expect-error no such relation
  defineModel({ name: 'TbW31', properties, scopes: { a: { include: [{ relation: 'others' }] } } }),
  // @ts-expect-error a number
  defineModel({ name: 'TbW32', properties, scopes: { a: { limit: '5' } } }),
  // Indexes
  // @ts-expect-error no such property
  defineModel({ name: 'TbW33', properties, indexes: { a: { keys: { titel: 1 } } } }),
  // @ts-expect-error no such column
  defineModel({ name: 'TbW34', properties, indexes: { a: { columns: 'title, titel' } } }),
  // @ts-expect-error no such property in short
  defineModel({ name: 'TbW35', properties, indexes: { a: { titel: 1 } } }),
  // Settings
  // @ts-expect-error none of its words
  defineModel({ name: 'TbW36', properties, strict: 'error' }),
  // @ts-expect-error none of its words
  defineModel({ name: 'TbW37', properties, settings: { strict: 'error' } }),
  // @ts-expect-error neither true nor false
  defineModel({ name: 'TbW38', properties, idInjection: 'no' }),
  // @ts-expect-error no such setting under settings
  defineModel({ name: 'TbW39', properties, settings: { forceID: true } }),
  // @ts-expect-error no such base
  defineModel({ name: 'TbW40', base: 'TbRigth', properties }),
  // Methods
  // @ts-expect-error no such verb
  defineModel({ name: 'TbW41', properties, methods: { go: { http: [{ verb: 'get' }, { verb: 'fetch' }] } } }),
  // @ts-expect-error no such kind of access
  defineModel({ name: 'TbW42', properties, methods: { go: { accessType: 'write' } } }),
  // @ts-expect-error no such type
  defineModel({ name: 'TbW43', properties, methods: { go: { accepts: [{ arg: 'a', type: ['TbOhter'] }] } } }),
  // @ts-expect-error no such key of a method
  defineModel({ name: 'TbW44', properties, methods: { go: { return: Type.Object({}) } } }),
  // In JSON, what the other file lacks
  // @ts-expect-error no such type of a property that says more
  defineModel({ name: 'TbW45', properties: { a: { type: ['Strng'] } } }),
  // @ts-expect-error no such property
  defineModel({ name: 'TbW46', properties: { a: 'string' }, settings: { protected: ['b'] } }),
  // @ts-expect-error no such property, in a list of conditions
  defineModel({ name: 'TbW47', properties: { a: 'string' }, scopes: { x: { where: { and: [{ b: 1 }] } } } }),
  // @ts-expect-error no such property
  defineModel({ name: 'TbW48', properties: { a: 'string' }, scopes: { x: { fields: ['b'] } } }),
  // @ts-expect-error no such relation
  defineModel({ name: 'TbW49', properties: { a: 'string' }, scopes: { x: { include: { relation: 'b' } } } }),
  // @ts-expect-error none of its words
  defineModel({ name: 'TbW50', properties: { a: 'string' }, settings: { strict: 'filtr' } }),
  // @ts-expect-error no such relation of a closed model
  defineModel({ name: 'TbW51', strict: 'filter', properties: { a: 'string' }, acls: [{ principalId: 'x', permission: 'DENY', property: '__get__b' }] }),
  // @ts-expect-error no such user model
  defineModel({ name: 'TbW52', properties: { a: 'string' }, acls: [{ principalType: 'TbOhter', principalId: 'x', permission: 'DENY' }] })
]
use(wrongs)

/** What is worked out is any text, in both forms. */
const lists = [word]
export const Worked = [
  defineModel({ name: 'TbM1', properties, hidden: lists, protected: [...lists, 'title'], scopes: { a: { order: word, fields: lists, include: word } } }),
  defineModel({ name: 'TbM2', properties: { a: word }, acls: [{ principalType: word, principalId: word, permission: word, property: lists }] }),
  defineModel({ name: 'TbM3', properties, relations: { a: { type: word, model: word } }, methods: { go: { accessType: word, http: { verb: word } } } }),
  defineModel({ name: 'TbM4', properties: { a: { type: word } }, scopes: { x: { order: [`${word} DESC`, 'a'] } }, indexes: { x: { columns: word } } })
]
