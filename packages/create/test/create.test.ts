// FASTBACK_TEST_FULL: applications are made and installed.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import createApplication, { createApplication as named } from '../src/index.js'

const bin = fileURLToPath(new URL('../bin/create.js', import.meta.url))

t.test('the command makes an application, and refuses to do it twice', async t => {
  const cwd = t.testdir()
  const { stdout } = await promisify(execFile)(process.execPath, [bin, 'my-app', '--template', 'empty-server'], { cwd })
  t.match(stdout, /Made my-app from the template empty-server/)
  t.equal(JSON.parse(readFileSync(path.join(cwd, 'my-app/package.json'), 'utf8')).name, 'my-app')
  await t.rejects(promisify(execFile)(process.execPath, [bin, 'my-app'], { cwd }), {
    code: 1,
    stderr: /^error FBK_CLI_FOLDER_NOT_EMPTY/
  })
  await t.rejects(promisify(execFile)(process.execPath, [bin], { cwd }), { code: 2 })
})

t.test('the same in code', async t => {
  t.equal(createApplication, named)
  const { folder } = await createApplication({ name: 'other', template: 'hello-world', cwd: t.testdir() })
  t.ok(existsSync(path.join(folder, 'common/models/message.json')))
})
