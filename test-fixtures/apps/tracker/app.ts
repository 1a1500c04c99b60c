import Fastify, { type FastifyInstance } from 'fastify'
import { acl, installAclModels } from '@fastback/acl'
import { auth, installAuthModels } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { core, ModelRegistry, RequestError } from '@fastback/core'
import { explorer } from '@fastback/explorer'
import { rest } from '@fastback/rest'
import { Attachment, Comment, Person, Ticket } from './models.js'

/** The server of the tracker, ready. Whoever it is told of as `chief` is its administrator. */
export async function trackerApp (chief: { email: string, password: string }): Promise<FastifyInstance> {
  const registry = new ModelRegistry()
  installAuthModels(registry)
  installAclModels(registry)
  registry.defineDataSource('db', { connector: memoryConnector })
  for (const Model of [
    registry.defineModel(Person),
    registry.defineModel(Ticket),
    registry.defineModel(Comment),
    registry.defineModel(Attachment)
  ]) registry.attach(Model, 'db', { public: true })

  const app = Fastify()
  await app.register(core, { registry })
  hooks(app)
  await app.register(auth, { dataSource: 'db' })
  await app.register(acl, { dataSource: 'db' })
  await app.register(rest, { prefix: '/api' })
  await app.register(explorer, { prefix: '/explorer' })
  await app.ready()

  const { Role, RoleMapping, Person: People } = app.models
  const { id } = await People.create({ name: 'Chief', ...chief })
  const admin = await Role.create({ name: 'admin' })
  await admin.principals.create({ principalType: RoleMapping.USER, principalId: String(id) })
  return app
}

function hooks ({ models: { Ticket, Person } }: FastifyInstance): void {
  // Who writes a comment is its author.
  Ticket.beforeRemote('prototype.__create__comments', async ({ args, options }) => {
    const { data } = args
    if (typeof data === 'object' && data !== null) Object.assign(data, { authorId: options.accessToken?.userId })
  })
  Ticket.beforeRemote('prototype.close', async ({ args, instance }) => {
    if (instance.state === 'done') throw new RequestError(409, `"${instance.title}" is closed already`)
    args.reason = args.reason.trim()
  })
  Ticket.afterRemote('stats', async (_context, { open, doing, done }) => {
    if (open + doing + done < 0) throw new Error('Impossible')
  })
  Ticket.observe('before save', async ({ instance, data }) => {
    const given = instance ?? data
    if (given?.title !== undefined) given.title = given.title.trim()
  })
  Person.afterRemote('login', async ({ reply, result }) => { reply.header('x-token-life', String(result.ttl)) })
}
