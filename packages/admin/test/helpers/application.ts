/** An application with users, roles, relations, files and hostile names, and three people. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import acl, { installAclModels } from '@fastback/acl'
import auth, { installAuthModels } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import rest from '@fastback/rest'
import { storageConnector } from '@fastback/storage'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { admin, type AdminOptions } from '../../src/index.js'

export const hostile = '<img src=x onerror="document.title=\'taken\'">'

const everyone = { principalType: 'ROLE', principalId: '$everyone' }
const denied = { ...everyone, permission: 'DENY' }
const toAdmins = { principalType: 'ROLE', principalId: 'admin', permission: 'ALLOW' }
const toUsers = { ...everyone, principalId: '$authenticated', permission: 'ALLOW' }

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Author',
    properties: { name: { type: 'string', required: true }, born: { type: 'date' } },
    relations: {
      notes: { type: 'hasMany', model: 'Note', foreignKey: 'authorId' },
      projects: { type: 'hasMany', model: 'Project', polymorphic: 'subject' }
    },
    acls: [denied, toUsers]
  },
  {
    name: 'Note',
    description: 'What somebody wrote down',
    properties: {
      title: { type: 'string', required: true, jsonSchema: { minLength: 3 }, description: 'What it is about' },
      kind: { type: 'string', enum: ['private', 'work'] },
      done: 'boolean',
      stars: { type: 'number', jsonSchema: { minimum: 0, maximum: 5 } },
      written: 'date',
      tags: ['string'],
      place: { type: { street: 'string', city: 'string' } }
    },
    relations: { author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' } },
    acls: [denied, { ...toUsers, accessType: 'READ' }, toAdmins, { ...toUsers, property: 'create' }]
  },
  {
    name: 'Project',
    properties: { title: 'string' },
    relations: {
      tags: { type: 'hasAndBelongsToMany', model: 'Tag' },
      members: { type: 'referencesMany', model: 'Author', foreignKey: 'memberIds' },
      subject: { type: 'belongsTo', polymorphic: { models: ['Author', 'Tag', 'Unseen'] } }
    },
    acls: [denied, { ...toUsers, accessType: 'READ' }, toAdmins]
  },
  { name: 'Tag', properties: { name: 'string' }, acls: [denied, { ...toUsers, accessType: 'READ' }, toAdmins] },
  {
    name: 'Photo',
    properties: { title: 'string', image: { type: 'file', storage: 'files' } },
    acls: [denied, toAdmins]
  },
  {
    name: 'Recipe',
    streaming: true,
    properties: { title: 'string', text: 'string' },
    indexes: { search: { text: ['title', 'text'] } },
    acls: [denied, toAdmins]
  },
  {
    name: 'Secret',
    properties: { text: 'string', hiddenText: { type: 'string', hidden: true } },
    acls: [denied, toAdmins]
  },
  {
    name: 'constructor',
    plural: 'constructors',
    properties: { toString: 'string', valueOf: 'string', '<b>bold</b>': 'string', '" onfocus="x': 'string', link: 'string' },
    acls: [denied, toAdmins]
  },
  { name: 'Staff', properties: { username: 'string', email: 'string', room: 'string' }, acls: [denied, toUsers] },
  {
    name: 'Shift',
    properties: {
      ward: { type: 'string', default: 'North' },
      hours: { type: 'number', default: 8 },
      night: { type: 'boolean', default: false },
      kind: { type: 'string', enum: ['early', 'late'], default: 'late' },
      marks: { type: ['string'], default: ['new'] },
      begun: { type: 'date', defaultFn: 'now' }
    },
    relations: { staff: { type: 'belongsTo', model: 'Staff' } },
    acls: [denied, { ...toUsers, accessType: 'READ' }, toAdmins]
  },
  {
    name: 'Draft',
    softDelete: true,
    history: true,
    properties: { title: 'string' },
    acls: [denied, toAdmins, { ...toAdmins, property: 'readDeleted' }]
  },
  { name: 'Unseen', properties: { text: 'string' }, relations: { note: { type: 'belongsTo', model: 'Note' } } }
]

export interface TestApplication {
  readonly app: FastifyInstance
  /** A token of this person. */
  tokenOf (name: string): Promise<string>
}

export const password = 'a long secret'

/** `root` is an administrator, `ann` a user like any other; `bob` is one, too. */
export async function application (t: Test, options: AdminOptions = {}): Promise<TestApplication> {
  const root = mkdtempSync(path.join(tmpdir(), 'fastback-admin-'))
  const registry = new ModelRegistry({ settings: { unsupportedHeaders: 'ignore' } })
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineDataSource('files', { connector: storageConnector, root })
  installAuthModels(registry)
  installAclModels(registry)
  registry.defineModels(definitions.map(input => ({ input })))
  const shown = [
    'User', 'Role', 'RoleMapping', 'Author', 'Note', 'Project', 'Tag', 'Photo', 'Recipe', 'Secret', 'constructor', 'Staff',
    'Shift', 'Draft'
  ]
  for (const name of shown) {
    registry.attach(name, 'db', { public: true })
  }
  for (const name of ['AccessToken', 'ACL', 'Unseen']) registry.attach(name, 'db', { public: false })
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    rmSync(root, { recursive: true, force: true })
  })
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false })
  await app.register(acl)
  withTags(app)
  await app.register(rest, { prefix: '/api', totalCount: 'asked' })
  await app.register(admin, options)
  await app.ready()
  await fill(registry)
  return {
    app,
    tokenOf: async name => {
      const answer = await app.inject({
        method: 'POST', url: '/api/Users/login', payload: { email: `${name}@example.com`, password }
      })
      return (answer.json() as { id: string }).id
    }
  }
}

/** Rows of Secret have the name of their state, and are changed under it alone. */
function withTags (app: FastifyInstance): void {
  const tagOf = async (): Promise<string> =>
    JSON.stringify(String((await (app.registry.getModel('Secret') as unknown as Finds).findById(1)).text))
  app.addHook('preHandler', async (request, reply) => {
    const { url, method, headers } = request
    if (!url.startsWith('/api/Secrets/1')) return
    const asked = headers['if-match']
    if (method === 'PATCH' && asked !== undefined && asked !== await tagOf()) {
      await reply.code(412).send({ error: { statusCode: 412, message: 'Precondition Failed' } })
    } else if (method === 'GET') reply.header('etag', await tagOf())
  })
}

type Finds = { findById (id: unknown): Promise<{ text: unknown }> }
type Creates = { create (data: object): Promise<{ id: unknown }> }

async function fill (registry: ModelRegistry): Promise<void> {
  const model = (name: string): Creates => registry.getModel(name) as unknown as Creates
  const rule = { principalType: 'ROLE', permission: 'ALLOW', property: '*', accessType: '*' }
  for (const name of ['Role', 'RoleMapping']) {
    await model('ACL').create({ ...rule, model: name, principalId: '$everyone', permission: 'DENY' })
    await model('ACL').create({ ...rule, model: name, principalId: 'admin' })
  }
  for (const property of ['find', 'count', 'findById', 'create', 'prototype.patchAttributes', 'createChangeStream']) {
    await model('ACL').create({ ...rule, model: 'User', property, principalId: 'admin' })
  }
  const users = []
  for (const name of ['root', 'ann', 'bob']) {
    users.push(await model('User').create({ email: `${name}@example.com`, username: name, password }))
  }
  const role = await model('Role').create({ name: 'admin', description: 'May do everything' })
  await model('Role').create({ name: 'editor' })
  await model('RoleMapping').create({ principalType: 'USER', principalId: String(users[0]?.id), roleId: role.id })
  for (const name of ['Ada Byron', 'Grace Hopper', 'Zora Hurston']) await model('Author').create({ name })
  for (let index = 1; index <= 30; index++) {
    await model('Note').create({
      title: `Note ${String(index).padStart(2, '0')}`,
      kind: index % 2 === 0 ? 'work' : 'private',
      done: index % 3 === 0,
      stars: index % 6,
      written: new Date(Date.UTC(2026, 0, index)),
      tags: ['a', `t${index}`],
      authorId: 1 + index % 3
    })
  }
  for (const row of [{ email: 'eve@example.com' }, { username: 'max', email: '' }, { room: 'attic' }]) {
    const { id } = await model('Staff').create(row)
    await model('Shift').create({ staffId: id })
  }
  for (const name of ['urgent', 'later', 'never']) await model('Tag').create({ name })
  await model('Project').create({ title: 'Old project', memberIds: [3, 1], subjectType: 'Author', subjectId: 2 })
  for (const [title, text] of [
    ['Bread', 'Flour, water and salt'], ['Salt dough', 'Salt, flour, salt water'], ['Tea', 'Water, no sugar']
  ]) await model('Recipe').create({ title, text })
  await model('Secret').create({ text: 'of administrators' })
  await model('constructor').create({
    toString: hostile, valueOf: hostile, '<b>bold</b>': hostile, '" onfocus="x': hostile,
    link: 'javascript:document.title="taken"'
  })
}
