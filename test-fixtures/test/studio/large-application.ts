/** An application with many related models, a table of many rows, and rows of many columns and many members. */
import type { AddressInfo } from 'node:net'
import acl, { installAclModels } from '@fastback/acl'
import auth, { installAuthModels } from '@fastback/auth'
import { sqlConnector } from '@fastback/connector-sql'
import core, { ModelRegistry, type ModelClass, type ModelDefinitionInput } from '@fastback/core'
import rest from '@fastback/rest'
import { studio } from '@fastback/studio'
import Fastify from 'fastify'
import type { Test } from 'tap'

process.env.NODE_ENV ??= 'development'

export const models = 100
/** Columns of a row of `Wide`, and members of the object in a row of `Deep`. */
export const columns = 1000

const everyone = { principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' }
const nameOf = (index: number): string => `Model${index % models}`

const related = Array.from({ length: models }, (_, index): ModelDefinitionInput => ({
  name: nameOf(index),
  properties: { title: 'string', size: 'number', done: 'boolean', made: 'date' },
  relations: {
    next: { type: 'belongsTo', model: nameOf(index + 1), foreignKey: 'nextId' },
    far: { type: 'belongsTo', model: nameOf(index + 7), foreignKey: 'farId' },
    back: { type: 'hasMany', model: nameOf(index + models - 1), foreignKey: 'nextId' },
    many: { type: 'hasMany', model: nameOf(index + 11), foreignKey: 'manyId' }
  },
  acls: [everyone]
}))

const manyTexts = Object.fromEntries(Array.from({ length: columns }, (_, index) => [`column${index}`, 'string' as const]))

const others: ModelDefinitionInput[] = [
  { name: 'Reading', properties: { title: 'string', size: 'number', done: 'boolean', made: 'date' }, acls: [everyone] },
  { name: 'Wide', properties: manyTexts, acls: [everyone] },
  { name: 'Deep', properties: { title: 'string', more: 'object' }, acls: [everyone] }
]

type Creator = ModelClass & { create (data: object | readonly object[]): Promise<unknown> }

/**
 * @param rows of the table `Reading`
 * @returns its origin
 */
export async function largeApplication (t: Test, rows: number): Promise<string> {
  const registry = new ModelRegistry({})
  registry.defineDataSource('db', { connector: sqlConnector, dialect: 'sqlite', file: ':memory:', migrate: 'update' })
  installAuthModels(registry)
  installAclModels(registry)
  registry.defineModels([...related, ...others].map(input => ({ input })))
  for (const { name } of [...related, ...others]) registry.attach(name as string, 'db', { public: true })
  for (const name of ['User', 'Role', 'RoleMapping', 'AccessToken', 'ACL']) registry.attach(name, 'db', { public: false })
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false })
  await app.register(acl)
  await app.register(studio)
  await app.register(rest, { prefix: '/api' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { db } = registry.dataSources as Readonly<Record<string, { execute (sql: string): Promise<unknown> }>>
  await db?.execute(`
    WITH RECURSIVE each (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM each WHERE i < ${rows})
    INSERT INTO "Reading" ("title", "size", "done") SELECT 'Reading ' || i, i % 97, i % 2 FROM each`)
  const row = Object.fromEntries(Object.keys(manyTexts).map(name => [name, `value of ${name}`]))
  const more = Object.fromEntries(Object.keys(manyTexts).map(name => [name, { name, list: [1, 2, 3] }]))
  await (registry.getModel('Wide') as Creator).create(Array.from({ length: 30 }, () => row))
  await (registry.getModel('Deep') as Creator).create(Array.from({ length: 30 }, () => ({ title: 'Deep', more })))
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}
