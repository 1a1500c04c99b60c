// FASTBACK_TEST_FULL: a process for each text.
/** Texts of others in what the command line writes: S-94. All generators: `packages/cli/test/hostile-texts.test.ts`. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import tap from 'tap'
import { temporaryApp } from './folders.js'

const bin = fileURLToPath(new URL('../../../packages/cli/dist/bin.js', import.meta.url))

tap.test('S-94: an API that a stranger described is written and not started, with --yes neither', async t => {
  // Seen to fail: the folder was started at once, and what stood behind `\r`, U+2028 and U+2029 was a statement.
  for (const end of ['\r', '\u2028', '\u2029']) {
    const stolen = path.join(t.testdir(), 'stolen')
    const words = `Finds${end}process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(stolen)}, 'x')${end}//`
    const folder = temporaryApp(t, {
      'zoo.json': {
        openapi: '3.1.0',
        info: { title: 'Zoo', version: '1' },
        paths: { '/pets/search': { get: { tags: ['pets'], operationId: 'find', summary: words, responses: { 200: { description: 'found' } } } } },
        components: { schemas: { Pet: { type: 'object', properties: { name: { type: 'string' } } } } }
      }
    })
    const given = ['--conditions=unbundled', bin, 'import-api', 'zoo.json', '--yes', '--allow-dirty', '--data-source', 'none']
    const { stderr } = await promisify(execFile)(process.execPath, given, { cwd: folder })
    t.match(stderr, /was not tried/)
    t.notOk(existsSync(stolen), 'nothing ran')
    const [script] = ['common/models/pet.js', 'server/models/pet.js'].filter(file => existsSync(path.join(folder, file)))
    const module = await import(path.join(folder, script as string)) as { default: (Model: object) => void }
    module.default({})
    t.notOk(existsSync(stolen), 'nor when the script is run')
  }
})
