/** What clients see: tools, their schemas and annotations, resources, prompts; and what does not start. */
import t from 'tap'
import { Ajv2020 } from 'ajv/dist/2020.js'
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { mcp, type McpOptions } from '@fastback/mcp'
import { rest } from '@fastback/rest'
import { clientOf, code, data, makeApp, row, type App } from './app.js'

type Loose = any

const definitions: Loose[] = [
  {
    name: 'Task',
    description: 'Something to do',
    version: true,
    properties: { title: { type: 'string', required: true }, size: 'number', done: 'boolean' },
    relations: { parts: { type: 'hasMany', model: 'Part' } },
    acls: [row('DENY', '$everyone'), row('ALLOW', '$authenticated')]
  },
  { name: 'Part', properties: { name: 'string', taskId: 'number' }, acls: [row('DENY', '$everyone'), row('ALLOW', '$authenticated')] }
]

const prepare = async ({ Task }: Record<string, Loose>): Promise<void> => {
  Task.remind = async (id: number, reason: string) => ({ id, reason })
  Task.remoteMethod('remind', {
    description: 'Sends a reminder',
    http: { verb: 'post', path: '/remind' },
    accepts: [{ arg: 'id', type: 'number', required: true }, { arg: 'reason', type: 'string' }],
    returns: { arg: 'data', type: 'object', root: true }
  })
  Task.shortest = async () => await Task.findOne({ order: 'size' })
  Task.remoteMethod('shortest', { http: { verb: 'get', path: '/shortest' }, returns: { arg: 'task', type: 'Task', root: true }, accessType: 'READ' })
  await Task.create([{ title: 'a', size: 2 }, { title: 'b', size: 1 }])
}

const makeTasks = async (t: Loose, options: McpOptions = {}): Promise<App> =>
  await makeApp(t, { definitions, prepare, options: { idempotency: true }, mcp: options })

const tools = {
  Task: [
    'find', 'findById', 'create', 'replaceById', 'prototype.patchAttributes', 'deleteById', 'remind', 'shortest',
    'prototype.__create__parts'
  ]
}

t.test('tools: names, annotations, schemas', async t => {
  const app = await makeTasks(t, { tools, confirm: { Task_remind: false } })
  const client = await clientOf(t, app, 'ann')
  const byName = new Map((await client.listTools()).tools.map(tool => [tool.name, tool]))
  const hints = (name: string): Loose => byName.get(name)?.annotations
  t.same([...byName.keys()], [
    'Task_find', 'Task_findById', 'Task_create', 'Task_replaceById', 'Task_patchAttributes', 'Task_deleteById',
    'Task_remind', 'Task_shortest', 'Task_create_parts'
  ])
  t.match(hints('Task_find'), { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false })
  t.match(hints('Task_create'), { readOnlyHint: false, destructiveHint: false, idempotentHint: false })
  t.match(hints('Task_patchAttributes'), { readOnlyHint: false, destructiveHint: true })
  t.match(hints('Task_deleteById'), { readOnlyHint: false, destructiveHint: true, idempotentHint: true })
  t.match(hints('Task_remind'), { readOnlyHint: false, destructiveHint: false }, 'as "confirm" says')
  t.match(byName.get('Task_remind'), { title: 'Task: remind', description: 'Sends a reminder' })
  t.match(byName.get('Task_find')?.description, /At most 100 rows/)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { name, inputSchema, outputSchema } of byName.values()) {
    t.match(name, /^[A-Za-z0-9_-]{1,64}$/)
    t.ok(ajv.compile(inputSchema), name)
    t.ok(ajv.compile(outputSchema as object), name)
    t.notMatch(JSON.stringify(inputSchema), /components\/schemas/, 'schemas stand alone')
  }
  const typeOf = (name: string, argument: string): unknown =>
    (byName.get(name)?.inputSchema.properties as Loose)[argument].type
  t.equal(typeOf('Task_find', 'filter'), 'object', 'for clients that follow no reference')
  t.equal(typeOf('Task_patchAttributes', 'data'), 'object')
  const takes = (name: string, args: object): boolean =>
    ajv.compile(byName.get(name)?.inputSchema as object)(args) as boolean
  t.ok(takes('Task_create', { data: { title: 'x' }, idempotencyKey: 'k', reason: 'why' }))
  t.notOk(takes('Task_create', { data: { size: 'x' } }))
  t.notOk(takes('Task_create', {}))
  t.ok(takes('Task_find', { filter: { where: { size: { gt: 1 } }, order: 'size DESC', limit: 2 } }))
  t.notOk(takes('Task_find', { filter: {}, reason: 'reads need none' }))
  t.ok(takes('Task_patchAttributes', { id: 1, data: { title: 'x' }, ifVersion: 1 }))
})

t.test('calls of all kinds of methods', async t => {
  const app = await makeTasks(t, { tools })
  const client = await clientOf(t, app, 'ann')
  await client.listTools()
  t.match(await data(client, 'Task_find', { filter: { where: { size: { gt: 1 } } } }), [{ title: 'a' }])
  t.match(await data(client, 'Task_shortest'), { title: 'b' })
  t.same(await data(client, 'Task_remind', { id: 1, reason: 'its own argument' }), { id: 1, reason: 'its own argument' })
  t.match(await data(client, 'Task_create_parts', { id: 1, data: { name: 'p' } }), { name: 'p', taskId: 1 })
  const made = await data(client, 'Task_create', { data: { title: 'c' }, idempotencyKey: 'one' })
  t.same(await data(client, 'Task_create', { data: { title: 'c' }, idempotencyKey: 'one' }), made, 'once')
  t.equal(await code(client, 'Task_create', { data: { size: 3 } }), 'VALIDATION_FAILED')
  t.match(await data(client, 'Task_patchAttributes', { id: 1, data: { title: 'A' }, ifVersion: 1 }), { title: 'A' })
  t.equal(await code(client, 'Task_patchAttributes', { id: 1, data: { title: 'B' }, ifVersion: 1 }), 'VERSION_CONFLICT')
  t.match(await data(client, 'Task_create', { data: '{"title":"as text"}' }), { title: 'as text' }, 'some clients write JSON')
  t.same(
    await code(client, 'Task_create', { data: '{"title"' }), await code(client, 'Task_create', { data: 7 }),
    'text that is no JSON is no row either')
  t.equal(await code(client, 'Task_find', { filter: '{"limit":1}' }), 'MCP_INVALID_ARGUMENTS', 'filters are said to be objects')
  await data(client, 'Task_deleteById', { id: 2 })
  t.equal(await code(client, 'Task_findById', { id: 2 }), 'MODEL_NOT_FOUND')
})

t.test('resources', async t => {
  const app = await makeTasks(t, { models: ['Task'] })
  const client = await clientOf(t, app, 'ann')
  const { resources } = await client.listResources()
  t.same(resources.map(({ uri }) => uri), ['fastback://openapi', 'fastback://models/Task'])
  const read = async (uri: string): Promise<Loose> =>
    JSON.parse(((await client.readResource({ uri })).contents[0] as Loose).text)
  const document = await read('fastback://openapi')
  t.same(Object.keys(document.paths).sort(), ['/Tasks', '/Tasks/count', '/Tasks/shortest', '/Tasks/{id}'])
  t.same(Object.keys(document.paths['/Tasks']), ['get'], 'what is no tool is not described')
  t.match(await read('fastback://models/Task'), { type: 'object', properties: { title: {}, size: {} } })
})

t.test('prompts, instructions, name', async t => {
  const app = await makeTasks(t, {
    name: 'tasks',
    version: '2.0.0',
    instructions: 'Ask before you write.',
    prompts: {
      week: { title: 'The week', description: 'What is to do', arguments: { day: { description: 'A day', required: true }, tone: {} }, text: 'Plan {day}{tone}: {other}' },
      made: { text: async () => 'made by code' }
    }
  })
  const client = await clientOf(t, app, 'ann')
  t.equal(client.getInstructions(), 'Ask before you write.')
  t.match(client.getServerVersion(), { name: 'tasks', version: '2.0.0' })
  t.match((await client.listPrompts()).prompts, [
    { name: 'week', title: 'The week', arguments: [{ name: 'day', required: true }, { name: 'tone', required: false }] }, { name: 'made' }
  ])
  t.match(await client.getPrompt({ name: 'week', arguments: { day: '{tone}' } }), {
    messages: [{ role: 'user', content: { text: 'Plan {tone}: {other}' } }]
  })
  t.match((await client.getPrompt({ name: 'made' })).messages[0]?.content, { text: 'made by code' })
})

t.test('anonymous, without anything that reads tokens, below a prefix', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions: [{ name: 'Open', properties: { x: 'string' } }],
    models: { Open: { dataSource: 'db', public: true } }
  })
  await app.register(mcp, { prefix: '/agents', path: '/v1' } as never)
  await app.register(rest, { prefix: '/api' })
  const client = await clientOf(t, app as never, undefined, '/agents/v1')
  t.same(await data(client, 'Open_find'), [])
  const guarded = await makeTasks(t, { anonymous: true })
  const nobody = await clientOf(t, guarded, undefined)
  t.same((await nobody.listTools()).tools, [], 'nobody may call anything')
  t.equal(await code(nobody, 'Task_find'), 'AUTHORIZATION_REQUIRED')
})

t.test('what does not start', async t => {
  const fails = async (options: object, code: string, message: RegExp): Promise<void> => {
    await t.rejects(makeTasks(t, options as never), { code: `FBK_MCP_${code}`, message })
  }
  await fails({ paths: '/x' }, 'INVALID_OPTIONS', /"paths"/)
  await fails({ limits: { rows: 0 } }, 'INVALID_OPTIONS', /rows/)
  await fails({ resource: 'https://a.test/mcp' }, 'INVALID_OPTIONS', /oauth2/)
  await fails({ oauth: true }, 'INVALID_OPTIONS', /oauth2/)
  await fails({ models: ['Nothing'] }, 'UNKNOWN_TOOL', /"Nothing"/)
  await fails({ models: ['constructor'] }, 'UNKNOWN_TOOL', /"constructor"/)
  await fails({ tools: { Task: ['constructor'] } }, 'UNKNOWN_TOOL', /"constructor"/)
  await fails({ tools: { Task: ['createChangeStream'] } }, 'UNKNOWN_TOOL', /stream/)
  await fails({ tools: { User: ['login'] } }, 'UNKNOWN_TOOL', /token/)
  await fails({ models: ['Task'], confirm: { Task_create: true } }, 'UNKNOWN_TOOL', /"Task_create"/)
  await fails({ limits: { tools: 2 } }, 'TOO_MANY_TOOLS', /"limits.tools" is 2/)
  await fails({ restApiRoot: '/other' }, 'NO_METHODS', /"\/other"/)
  await t.rejects(async () => { await Fastify().register(mcp, {}) }, { code: 'FBK_MCP_MISSING_REGISTRY' })
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions: [{ name: 'Open', properties: { x: 'string' } }],
    models: { Open: { dataSource: 'db', public: true } }
  })
  await app.register(rest)
  await t.rejects(async () => { await app.register(mcp, {}) }, { code: 'FBK_MCP_REGISTERED_LATE' })
})
