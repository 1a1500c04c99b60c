/** `npm run release -- --dry-run` from a clean clone: the packages of this commit are built, packed and looked at. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))

t.setTimeout(1_200_000)

t.test('a clean clone can be released', async t => {
  const clone = path.join(t.testdir({}), 'clone')
  t.equal(spawnSync('git', ['clone', '-q', '--no-hardlinks', root, clone]).status, 0)
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'release', '--', '--dry-run'], {
    cwd: clone, encoding: 'utf8', maxBuffer: 1 << 26
  })
  t.equal(status, 0, stderr)
  t.match(stdout, /28 packages checked, 0 problems/)
  t.match(stdout, /the example of README\.md serves/)
  t.match(stdout, /ok {4}@fastback\/core@\d+\.\d+\.\d+: \d+ files/)
  t.match(stdout, /Nothing was published/)
})
