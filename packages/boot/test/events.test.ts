/** The component `@fastback/events` of application folders. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createServer, readConfiguration, scratchStores, type Server } from '@fastback/boot'

function makeFolder (t: Test, components: object, script = 'module.exports = () => {}'): string {
  const root = mkdtempSync(path.join(tmpdir(), 'fastback-events-'))
  for (const folder of ['server/boot', 'common/models']) mkdirSync(path.join(root, folder), { recursive: true })
  for (const [name, content] of Object.entries({
    'server/config.json': { restApiRoot: '/api' },
    'server/datasources.json': { db: { connector: 'memory' } },
    'server/model-config.json': { Note: { dataSource: 'db', public: true } },
    'server/component-config.json': components,
    'common/models/note.json': { name: 'Note', properties: { title: 'string' } }
  })) writeFileSync(path.join(root, name), JSON.stringify(content))
  writeFileSync(path.join(root, 'server/boot/jobs.js'), script)
  t.teardown(() => { rmSync(root, { recursive: true }) })
  return root
}

async function served (t: Test, components: object, script?: string): Promise<Server> {
  const server = await createServer(makeFolder(t, components, script), { log: false, port: 0, host: '127.0.0.1' })
  t.teardown(async () => { await server.stop() })
  return server
}

/** Serves a folder, and writes an x for each module of the package beside what boot asks, and of its engines. */
const lookForModules = `
import { register } from 'node:module'
const loader = \`import { writeSync } from 'node:fs'
export async function load (url, context, next) {
  if (/packages\\\\/events\\\\/dist\\\\/(?!boot\\\\.js)|cron-parser|pg-boss|bullmq|ioredis|standardwebhooks/.test(url)) writeSync(1, 'x')
  return await next(url, context)
}\`
register('data:text/javascript,' + encodeURIComponent(loader))
const { createServer } = await import('@fastback/boot')
const server = await createServer(process.argv[1], { log: false, port: 0, host: '127.0.0.1' })
await server.stop()
`

t.test('a folder that does not ask for it loads nothing of it', async t => {
  const { fastify, app } = await served(t, {})
  t.notOk('job' in app.registry.core)
  t.equal((await fastify.inject('/api/FastbackJobs')).statusCode, 404)
  t.equal(app.registry.findModel('FastbackJob'), undefined)
  const seen = (components: object): string => execFileSync(process.execPath, [
    '--conditions=unbundled', '--input-type=module', '-e', lookForModules, makeFolder(t, components)
  ], { cwd: new URL('..', import.meta.url), encoding: 'utf8' })
  t.equal(seen({}), '')
  t.match(seen({ '@fastback/events': {} }), /^x+$/)
})

const script = `
module.exports = app => {
  app.registry.core.job('greet', {}, async ({ data, models }) => { await models.Note.create({ title: data }) })
  app.models.Note.observe('after save', async ctx => {
    if (ctx.instance.title === 'first') await app.registry.core.jobs.send('greet', 'second')
  })
}`

t.test('boot scripts define jobs, which run', async t => {
  const { fastify } = await served(t, { '@fastback/events': { pollInterval: 20 } }, script)
  await fastify.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'first' } })
  let titles: string[] = []
  for (let i = 0; i < 200 && titles.length < 2; i++) {
    await sleep(20)
    titles = (await fastify.inject('/api/Notes')).json().map(({ title }: { title: string }) => title)
  }
  t.strictSame(titles, ['first', 'second'])
  t.equal((await fastify.inject('/api/FastbackJobs')).statusCode, 404, 'jobs are not published')
})

t.test('its options are checked', async t => {
  await t.rejects(served(t, { '@fastback/events': { engines: 'x' } }), {
    code: 'FBK_EVENTS_INVALID_OPTIONS', message: /"engines"/
  })
})

t.test('a tool that looks at the folder runs no jobs, and needs none of its servers', async t => {
  const dir = makeFolder(t, { '@fastback/events': { engine: 'bullmq', redis: 'redis://127.0.0.1:1' } }, script)
  await t.rejects(createServer(dir, { log: false }), { code: 'FBK_EVENTS_ENGINE_UNAVAILABLE' })
  const { dataSources, remove } = scratchStores(await readConfiguration(dir))
  t.teardown(remove)
  const { fastify, stop } = await createServer(dir, { log: false, dataSources })
  t.teardown(stop)
  await fastify.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'first' } })
  await sleep(300)
  t.equal((await fastify.inject('/api/Notes')).json().length, 1)
})
