/** `npm test` (.ci/tests): an error that nobody caught fails the file that is tested, and no other. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t from 'tap'

const folder = fileURLToPath(new URL('../../.ci/tests/', import.meta.url))
const preloads = ['limit.mjs', 'stray-errors.mjs'].map(file => `--import=${pathToFileURL(folder + file).href}`)

t.test('errors of callbacks and of promises', async t => {
  const body = (stray: string): string =>
    `import t from ${JSON.stringify(pathToFileURL(`${folder}tap.mjs`).href)}
    t.test('one', async t => {
      setTimeout(() => { ${stray} }, 1)
      await new Promise(resolve => { setTimeout(resolve, 50) })
      t.pass('goes on')
    })`
  const dir = t.testdir({
    'throws.mjs': body("throw new Error('of a callback')"),
    'rejects.mjs': body("Promise.reject(new Error('of a promise'))"),
    'listens.mjs': body("process.once('uncaughtException', () => {}); throw new Error('awaited')"),
    'is-well.mjs': body('')
  })
  const files = ['throws', 'rejects', 'listens', 'is-well'].map(name => [name, path.join(dir, `${name}.mjs`)])
  const { status, stdout } = spawnSync(process.execPath, [...preloads, `${folder}together.mjs`], {
    encoding: 'utf8',
    env: {
      ...process.env,
      FASTBACK_TEST_FILES: JSON.stringify({ files, timeout: 60_000 }),
      FASTBACK_TEST_LIMIT: '60000'
    }
  })
  t.equal(status, 1)
  t.strictSame(stdout.match(/^(?:not )?ok \d+ - [\w-]+/gm), [
    'not ok 1 - throws', 'not ok 2 - rejects', 'ok 3 - listens', 'ok 4 - is-well'
  ])
  t.match(stdout, /^ {4}not ok \d+ - of a callback$/m)
  t.match(stdout, /^ {4}not ok \d+ - of a promise$/m)
  t.equal(stdout.match(/ok \d+ - goes on$/gm)?.length, 4)
})
