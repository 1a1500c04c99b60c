// One server of `--scale`: as many models, rules and rows as it is told. Says its port and a token.
import Fastify from 'fastify'
import { acl } from '@fastback/acl'
import { auth } from '@fastback/auth'
import { core } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'
import { ROW } from './rows.js'

/** @type {{ url: string, table: string, models: number, rules: number }} */
const { url, table, models, rules } = JSON.parse(process.argv[2])

const person = { email: 'bench@example.org', password: 'bench-password' }

/** Rules that are not the caller's, and the one that lets callers in. */
const acls = [
  { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
  ...Array.from({ length: Math.max(0, rules - 2) }, (_, i) => (
    { principalType: 'ROLE', principalId: `role${i}`, permission: 'ALLOW', property: 'create' }
  )),
  { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }
]
const others = Array.from({ length: models - 1 }, (_, i) => ({ ...ROW, name: `Other${i}`, plural: `Others${i}` }))
const row = { ...ROW, options: { ...ROW.options, sql: { table } } }
const definitions = [rules === 0 ? row : { ...row, acls }, ...others]

const app = Fastify()
await app.register(core, {
  dataSources: { db: { connector: sqlConnector, url, migrate: 'none' }, users: { connector: sqlConnector, url: 'sqlite::memory:' } },
  definitions,
  models: Object.fromEntries(definitions.map(({ name }) => [name, { dataSource: 'db' }]))
})
if (rules > 0) {
  await app.register(auth, { dataSource: 'users' })
  await app.register(acl, { dataSource: 'users' })
}
await app.register(rest, { prefix: '/api' })
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address()
const token = rules > 0 ? await logIn() : undefined
process.send({ port, token })

async function logIn () {
  const { User } = app.models
  await User.create(person)
  return (await User.login(person)).id
}
