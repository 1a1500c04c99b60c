// FASTBACK_TEST_FULL: processes that start anew when files change.
/** `serve --watch` and `--env-file`, as a process. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { address, printed, start } from './child.js'
import { run } from './terminal.js'

/** What the process has complained about, once it has. */
async function complained (child: ReturnType<typeof start>, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(child.err)?.[0]
    if (found !== undefined) return found
    if (child.process.exitCode !== null) throw new Error(`it ended: ${child.err}`)
    await new Promise(resolve => child.process.stderr?.once('data', resolve))
  }
}

t.test('serves again after a change, tells errors with their places, and comes back', async t => {
  const dir = t.testdir({
    'package.json': '{ "type": "module" }',
    'a.env': 'SECRET_WORD="from the file"\nKEPT=file\n',
    data: {},
    uploads: {},
    server: {
      'config.json': '{}',
      'datasources.json': '{ "db": { "connector": "memory", "file": "rows.json" } }',
      boot: {
        'b.js': "export default app => { app.fastify.get('/word', () => [process.env.SECRET_WORD, process.env.KEPT]) }"
      }
    }
  })
  const child = start(t, ['serve', dir, '--port', '0', '--host', '127.0.0.1', '--watch', '--env-file', path.join(dir, 'a.env')], {
    env: { KEPT: 'environment' }
  })
  const url = await address(child)
  t.strictSame(await (await fetch(`${url}/word`)).json(), ['from the file', 'environment'], 'the environment wins')
  const script = path.join(dir, 'server/boot/b.js')

  // None of these is what an application is made of.
  writeFileSync(path.join(dir, 'data/a.json'), '{}')
  writeFileSync(path.join(dir, 'rows.json'), '{}')
  writeFileSync(path.join(dir, 'a.log'), 'x')
  mkdirSync(path.join(dir, 'node_modules'))
  writeFileSync(path.join(dir, 'node_modules/a.js'), '')
  writeFileSync(path.join(dir, 'a.env'), 'SECRET_WORD=another\n')
  await printed(child, /^a\.env changed: serving again after \d+ ms$/m)
  t.strictSame(await (await fetch(`${url}/word`)).json(), ['another', 'environment'], 'at the same address')

  writeFileSync(script, 'export default app => {\n  nope()\n}\n')
  t.match(await complained(child, /^.+nope[^]+fixed\.$/m), /server\/boot\/b\.js:2:3: nope is not defined\nMore: fastback explain FBK_BOOT_SCRIPT\nserver\/boot\/b\.js changed: not serving/)
  await t.rejects(fetch(url))
  writeFileSync(script, 'export default app => {\n  let x =\n}\n')
  t.match(await complained(child, /^.+Unexpected[^]+fixed\.$/m), /server\/boot\/b\.js:3: Unexpected token '}'\nMore: .+\nserver\/boot\/b\.js changed/)
  rmSync(script)
  await printed(child, /^server\/boot\/b\.js changed: serving again after \d+ ms$/m)
  t.equal((await fetch(`${url}/word`)).status, 404)
  child.process.kill('SIGINT')
  t.equal(await child.exited, 0)
  await t.rejects(fetch(url), 'and nothing is left behind')
})

t.test('a file of variables that is not there', async t => {
  t.match(await run(t.testdir(), ['serve', '--env-file', 'none']), { code: 1, err: /^error FBK_CLI_ENV_FILE: The file ".*none"/ })
})
