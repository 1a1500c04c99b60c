/** What each key of relations, rules, methods, arguments and definitions does. */
import type { AskedElsewhere, Effect, Loose, Parts, Refused, World } from './world.js'

export interface PartEffect extends Effect, Pick<Parts, 'definitions' | 'plugins' | 'store' | 'shown' | 'settings' | 'prior' | 'mixins'> {}
export type Part = PartEffect | Refused | AskedElsewhere

const asked = (file: string): AskedElsewhere => ({ provenIn: file })
const relationOptions = asked('packages/rest/test/relation-options.test.ts')
const page = { name: 'Page', properties: { title: 'string', noteCode: 'string', kindId: 'number' } }
const status = (method: string, path: string, expected: number, data?: unknown): Effect['shows'] =>
  async (t, { send }) => { t.equal((await send(method, path, data)).status, expected) }

/** A note with a relation "pages" to Page. */
const pages = (key: object, more: object = {}): PartEffect['definitions'] => [{
  name: 'Note', properties: { it: 'string', code: 'string' }, relations: { pages: { type: 'hasMany', model: 'Page', ...key } }, ...more
}, page]
const { shows: pageOf } = {
  async shows (t: Parameters<Effect['shows']>[0], { Note, send }: World, data: object = {}): Promise<Loose> {
    const { id } = await Note.create({ it: 'a', code: 'c' })
    const { status: made, body } = await send('POST', `/Notes/${id}/pages`, { title: 'p', ...data })
    t.equal(made, 200)
    return body
  }
}
const none = 'unread'

export const relationParts: Readonly<Record<string, Part>> = {
  type: {
    definitions: [{ name: 'Note', relations: { page: { type: 'hasOne', model: 'Page' } } }, page],
    shows: status('POST', '/Notes/1/pages', 404, {})
  },
  model: { definitions: pages({}), async shows (t, w) { t.match(await pageOf(t, w), { title: 'p', noteId: 1 }) } },
  as: { refused: 'sheets' },
  idType: { refused: 'string' },
  foreignKey: {
    definitions: pages({ foreignKey: 'kindId' }), async shows (t, w) { t.equal((await pageOf(t, w)).kindId, 1) }
  },
  primaryKey: {
    definitions: pages({ foreignKey: 'noteCode', primaryKey: 'code' }),
    async shows (t, w) { t.equal((await pageOf(t, w)).noteCode, 'c') }
  },
  through: asked('packages/core/test/relations.test.ts'),
  throughTable: {
    definitions: [{
      name: 'Note', relations: { pages: { type: 'hasAndBelongsToMany', model: 'Page', throughTable: 'Joined' } }
    }, page],
    async shows (t, { models }) { t.ok('Joined' in models) }
  },
  keyThrough: relationOptions,
  polymorphic: asked('packages/core/test/relations.test.ts'),
  property: {
    definitions: [{ name: 'Note', relations: { pages: { type: 'embedsMany', model: 'Page', property: 'held' } } }, page],
    async shows (t, w) {
      await pageOf(t, w)
      t.match((await w.send('GET', '/Notes/1')).body.held, [{ title: 'p' }])
    }
  },
  embed: { refused: true },
  scope: {
    definitions: pages({ scope: { where: { title: 'q' } } }),
    async shows (t, w) {
      await pageOf(t, w)
      await w.models.Page.create({ noteId: 1, title: 'q' })
      t.match((await w.send('GET', '/Notes/1/pages')).body, [{ title: 'q' }])
      t.equal((await w.send('GET', '/Notes/1/pages')).body.length, 1)
    }
  },
  properties: {
    definitions: pages({ properties: { it: 'noteCode' } }),
    async shows (t, w) { t.equal((await pageOf(t, w)).noteCode, 'a') }
  },
  invert: relationOptions,
  invertProperties: relationOptions,
  idName: {
    definitions: [
      { name: 'Note', relations: { page: { type: 'belongsTo', model: 'Page', idName: 'code' } } },
      { ...page, properties: { title: 'string', code: { type: 'string', index: true } } }
    ],
    async shows (t, { models, Note, send }) {
      await models.Page.create({ title: 'p', code: 'c' })
      await Note.create({ pageId: 'c' })
      t.match((await send('GET', '/Notes/1/page')).body, { title: 'p' })
    }
  },
  keyFrom: { refused: none },
  keyTo: { refused: none },
  default: relationOptions,
  methods: {
    definitions: [{
      name: 'Note',
      relations: { page: { type: 'hasOne', model: 'Page', methods: { async loud () { return 'LOUD' } } } }
    }, page],
    async shows (t, { Note }) { t.equal(await (await Note.create({})).page.loud(), 'LOUD') }
  },
  scopeMethods: {
    definitions: pages({ scopeMethods: { async loud () { return 'LOUD' } } }),
    async shows (t, { Note }) { t.equal(await (await Note.create({})).pages.loud(), 'LOUD') }
  },
  onDelete: {
    definitions: pages({ onDelete: 'cascade' }),
    async shows (t, w) {
      await pageOf(t, w)
      await w.Note.destroyById(1)
      t.equal(await w.models.Page.count(), 0)
    }
  },
  onUpdate: {
    definitions: pages({ foreignKeys: true, onUpdate: 'cascade' }),
    store: { connector: 'sqlite', url: 'sqlite::memory:' },
    async shows (t, { registry }) {
      const { db } = registry.dataSources
      await db.automigrate()
      const [{ sql }] = await db.execute('SELECT sql FROM sqlite_master WHERE name = \'Page\'')
      t.match(sql, /ON UPDATE CASCADE/i)
    }
  },
  foreignKeys: asked('packages/connector-sql/test/tick-writes.test.ts'),
  nestedWrite: {
    definitions: pages({ nestedWrite: true }),
    async shows (t, { models, send }) {
      t.match((await send('POST', '/Notes', { it: 'a', pages: [{ title: 'p' }] })).body, { pages: [{ title: 'p', noteId: 1 }] })
      t.equal(await models.Page.count(), 1)
    }
  },
  options: {
    definitions: pages({ options: { disableInclude: true } }),
    async shows (t, w) {
      await pageOf(t, w)
      t.notOk('pages' in (await w.send('GET', '/Notes/1?filter={"include":"pages"}')).body)
    }
  },
  http: { refused: { path: 'x' } },
  acls: {
    plugins: ['acl'],
    definitions: pages({ acls: [{ permission: 'DENY', principalType: 'ROLE', principalId: '$everyone' }] }),
    shows: status('GET', '/Notes/1/pages', 401)
  },
  description: {
    definitions: pages({ description: 'What is in it' }),
    async shows (t, { document }) {
      t.match(document().components.schemas.Note.properties.pages.description, 'What is in it')
    }
  },
  modelThrough: { refused: none },
  multiple: { refused: true },
  params: { refused: { a: 1 } }
}

export const relationOptionParts: Readonly<Record<string, Part>> = {
  disableInclude: relationParts.options as Part,
  nestRemoting: {
    definitions: [
      ...pages({ options: { nestRemoting: true } }).slice(0, 1),
      { ...page, relations: { kind: { type: 'belongsTo', model: 'Kind' } } },
      { name: 'Kind', properties: { word: 'string' } }
    ],
    async shows (t, w) {
      await w.models.Kind.create({ word: 'k' })
      const { id } = await pageOf(t, w, { kindId: 1 })
      t.match((await w.send('GET', `/Notes/1/pages/${id}/kind`)).body, { word: 'k' })
    }
  },
  validate: relationOptions,
  forceId: relationOptions,
  persistent: relationOptions,
  autoId: relationOptions,
  property: {
    definitions: [{
      name: 'Note',
      relations: {
        pages: { type: 'embedsMany', model: 'Page', property: 'held', options: { property: { description: 'Pages of it' } } }
      }
    }, page],
    async shows (t, { Note }) { t.equal(Note.definition.properties.held.description, 'Pages of it') }
  },
  default: relationOptions,
  invertProperties: relationOptions,
  omitDefaultEmbeddedItem: relationOptions,
  belongsTo: {
    definitions: [
      {
        name: 'Note',
        relations: {
          links: { type: 'embedsMany', model: 'Link', property: 'held', options: { belongsTo: 'page' } }
        }
      },
      { name: 'Link', base: 'Model', properties: { id: { type: 'number', id: true } }, relations: { page: { type: 'belongsTo', model: 'Page' } } },
      page
    ],
    async shows (t, { Note, models, send }) {
      await models.Page.create({ title: 'p' })
      const note = await Note.create({})
      await note.links.add(await models.Page.findById(1))
      t.match((await send('GET', '/Notes/1')).body.held, [{ pageId: 1 }])
    }
  },
  prepend: relationOptions,
  targetId: { refused: none },
  http: { definitions: pages({ options: { http: { path: 'sheets' } } }), shows: status('GET', '/Notes/1/sheets', 404) }
}

const ruled = (...acls: object[]): Pick<PartEffect, 'definitions' | 'plugins'> => ({
  plugins: ['acl'], definitions: [{ name: 'Note', properties: { it: 'string' }, acls }]
})
const everyone = { principalType: 'ROLE', principalId: '$everyone' }

export const ruleParts: Readonly<Record<string, Part>> = {
  model: { refused: 'Page' },
  property: {
    ...ruled({ ...everyone, permission: 'DENY', property: 'find' }),
    async shows (t, { send }) {
      t.equal((await send('GET', '/Notes')).status, 401)
      t.equal((await send('GET', '/Notes/count')).status, 200)
    }
  },
  accessType: {
    ...ruled({ ...everyone, permission: 'DENY', accessType: 'WRITE' }),
    async shows (t, { send }) {
      t.equal((await send('GET', '/Notes')).status, 200)
      t.equal((await send('POST', '/Notes', {})).status, 401)
    }
  },
  permission: { ...ruled({ ...everyone, permission: 'DENY' }), shows: status('GET', '/Notes', 401) },
  principalType: {
    ...ruled({ principalType: 'USER', principalId: 1, permission: 'DENY' }), shows: status('GET', '/Notes', 200)
  },
  principalId: {
    ...ruled({ principalType: 'ROLE', principalId: '$authenticated', permission: 'DENY' }), shows: status('GET', '/Notes', 200)
  },
  rows: { provenIn: 'packages/acl/test/rows-of-requests.test.ts' },
  check: { provenIn: 'packages/acl/test/row-rules.test.ts' },
  preset: { provenIn: 'packages/acl/test/rows-of-requests.test.ts' },
  fields: { provenIn: 'packages/acl/test/rows-of-requests.test.ts' },
  enforce: { provenIn: 'packages/acl/test/tried-rules.test.ts' },
  accessAssurance: { provenIn: 'packages/acl/test/step-up.test.ts' },
  description: { ...ruled({ ...everyone, permission: 'DENY', description: 'closed' }), shows: status('GET', '/Notes', 401) }
}
