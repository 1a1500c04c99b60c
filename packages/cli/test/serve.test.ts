// FASTBACK_TEST_FULL: processes that serve, reload and stop.
/** `fastback serve` as a process: what scripts, containers and people see of it. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { serve } from '../src/index.js'
import { address, printed, start } from './child.js'
import { freePort } from '../../../test-fixtures/free-port.mjs'

const template = (name: string): string => fileURLToPath(new URL(`../templates/${name}`, import.meta.url))

t.test('serves the notes, keeps them, and ends well on SIGTERM', async t => {
  const data = path.join(t.testdir(), 'data')
  const first = start(t, ['serve', template('notes'), '--port', '0', '--data', data])
  const url = await address(first)
  t.equal(first.out, `Serving ${url}/api, studio at ${url}/studio, explorer at ${url}/explorer, admin page at ${url}/admin\n`)
  t.match(await (await fetch(`${url}/api/Notes/count`)).json(), { count: 4 })
  for (const page of ['studio', 'explorer', 'admin']) t.equal((await fetch(`${url}/${page}/`)).status, 200)
  const created = await fetch(`${url}/api/Notes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"title":"stays"}'
  })
  const { id } = await created.json() as { id: number }
  first.process.kill('SIGTERM')
  t.equal(await first.exited, 0)
  t.equal(first.err, '')
  t.ok(existsSync(path.join(data, 'notes.db')))

  const second = start(t, ['serve', template('notes'), '--port', '0', '--json'], { env: { DATA_DIR: data } })
  const again = await address(second)
  t.strictSame(JSON.parse(second.out), {
    url: again, api: `${again}/api`, studio: `${again}/studio`, explorer: `${again}/explorer`, admin: `${again}/admin`
  })
  t.match(await (await fetch(`${again}/api/Notes/${id}`)).json(), { title: 'stays' })
  t.match(await (await fetch(`${again}/api/Notes/count`)).json(), { count: 5 }, 'the first rows are not made again')
  second.process.kill('SIGINT')
  t.equal(await second.exited, 0)
})

t.test('answers what was begun before it ends', async t => {
  const dir = t.testdir({
    'package.json': '{ "type": "module" }',
    server: {
      'config.json': '{}',
      boot: {
        'slow.js':
          "export default app => { app.fastify.get('/slow', async () => { console.log('begun'); await new Promise(resolve => setTimeout(resolve, 400)); return { done: true } }) }"
      }
    }
  })
  const child = start(t, ['serve', dir, '--port', '0', '--host', '127.0.0.1'])
  const url = await address(child)
  const answer = fetch(`${url}/slow`)
  await printed(child, /begun/)
  child.process.kill('SIGTERM')
  t.strictSame(await (await answer).json(), { done: true })
  t.equal(await child.exited, 0)
})

t.test('PORT and HOST, and options that win over them', async t => {
  const [fromEnvironment, fromOption] = [await freePort(), await freePort()]
  const folder = template('hello-world')
  const environment = start(t, ['serve'], { cwd: folder, env: { PORT: String(fromEnvironment), HOST: 'localhost' } })
  t.match(await address(environment), new RegExp(`^http://(localhost|127\\.0\\.0\\.1|\\[::1\\]):${fromEnvironment}$`))
  t.equal((await fetch(`http://localhost:${fromEnvironment}/api/Messages/greet`)).status, 200)
  const options = start(t, ['serve', folder, '-p', String(fromOption), '--host', '127.0.0.1'], {
    env: { PORT: String(fromEnvironment), HOST: '0.0.0.0' }
  })
  t.equal(await address(options), `http://127.0.0.1:${fromOption}`)

  const taken = start(t, ['serve', folder, '--port', String(fromOption)])
  t.equal(await taken.exited, 1)
  t.equal(
    taken.err,
    `error FBK_CLI_ADDRESS_IN_USE: Something else listens on port ${fromOption} of 127.0.0.1. Choose another one with --port.\n` +
    'More: fastback explain FBK_CLI_ADDRESS_IN_USE\n'
  )
})

t.test('a folder that cannot be started: one line, where there is more of it, and 1', async t => {
  const dir = t.testdir({
    empty: {},
    broken: { server: { 'config.json': '{ "port": 3000, }' } },
    failing: {
      'package.json': '{ "type": "module" }',
      server: { 'config.json': '{}', boot: { 'a.js': "export default () => { throw new Error('no luck') }" } }
    }
  })
  const folders: Array<[string, RegExp]> = [
    ['missing', /^error FBK_BOOT_FOLDER: .+ is not an application folder: there is no such folder\.\nMore: fastback explain \w+\n$/],
    ['empty', /^error FBK_BOOT_FOLDER: .+\nMore: fastback explain \w+\n$/],
    ['broken', /^error FBK_BOOT_INVALID_JSON: server\/config\.json, line 1: .+\nMore: fastback explain \w+\n$/],
    ['failing', /^error FBK_BOOT_SCRIPT: server\/boot\/a\.js:1:\d+: no luck\nMore: fastback explain \w+\n$/]
  ]
  for (const [name, message] of folders) {
    const child = start(t, ['serve', path.join(dir, name), '--port', '0'])
    t.equal(await child.exited, 1, name)
    t.equal(child.out, '')
    t.match(child.err, message)
  }
  const debug = start(t, ['serve', path.join(dir, 'failing'), '--port', '0', '--debug'])
  t.equal(await debug.exited, 1)
  t.match(debug.err, /boot\/a\.js:1:/, 'the stack names the place')
})

t.test('in code', async t => {
  const served = await serve(template('hello-world'), { port: 0, host: '127.0.0.1', log: false })
  t.equal(served.apiUrl, `${served.url}/api`)
  t.equal((await fetch(`${served.apiUrl}/Messages/greet`)).status, 200)
  await t.rejects(serve(template('hello-world'), { port: new URL(served.url).port, host: '127.0.0.1', log: false }), {
    code: 'FBK_CLI_ADDRESS_IN_USE'
  })
  await served.close()
  await t.rejects(fetch(served.url))

  const without = t.testdir({
    server: { 'config.json': '{}', 'component-config.json': '{ "loopback-component-explorer": null }' }
  })
  const bare = await serve(without, { port: 0, host: '127.0.0.1', log: false })
  t.equal(bare.explorerUrl, undefined)
  t.equal(bare.adminUrl, undefined)
  await bare.close()
})
