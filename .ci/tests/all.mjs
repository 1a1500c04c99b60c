// What `npm test` gives to tap: all tests, two at a time, each in a process of its own. FASTBACK_TESTS names the files
// where only some are wanted, TAP_JOBS how many run at a time.
import t from 'tap'
import { compileTests, root } from './compile.mjs'

/** Milliseconds. tap's own limit per file, 30 s, is too short on a loaded machine. */
const timeout = 300_000

t.jobs = Number(process.env.TAP_JOBS ?? 2)
process.chdir(root)
// What tap puts there for coverage costs each process that a test starts a second of the processor.
const { NODE_OPTIONS, ...rest } = process.env
const env = { ...rest, FASTBACK_TEST_LIMIT: String(timeout + 10_000) }
// A unit test loads single files of its package, so all packages are to be files (.ci/bundle.mjs).
const args = ['--conditions=unbundled', '--enable-source-maps', `--import=${new URL('limit.mjs', import.meta.url)}`]
const wanted = process.env.FASTBACK_TESTS?.split(/\s+/)
// The long ones, of whole packages and over several, first: the end is then shared well.
const tests = [...compileTests()]
  .filter(([source]) => wanted?.includes(source) ?? true)
  .sort(([one], [other]) => Number(isUnit(one)) - Number(isUnit(other)))
for (const [source, compiled] of tests) {
  t.spawn(process.execPath, [...args, compiled], { buffered: true, timeout, env }, source)
}

function isUnit (file) {
  return file.includes('/src/')
}
