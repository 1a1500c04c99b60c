// What `npm test` gives to tap: tests (`selection.mjs`), by groups of files that share a process, three at a time.
// Where only some are wanted, FASTBACK_TESTS names files or folders (`packages/push/test`), each file in a process of
// its own then. TAP_JOBS says how many processes run at a time; `.taprc` sets it where nobody does.
// FASTBACK_TEST_TIMES names a file to which each test file adds a line: seconds, seconds of the processor, those of its
// children, name.
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { compileTests, root } from './compile.mjs'
import { makeRsaKeys } from './rsa-keys.mjs'
import { folderOf, wantedTests } from './selection.mjs'

/** Milliseconds for one file. tap's own limit, 30 s, is too short on a loaded machine. */
const timeout = 300_000
/**
 * Files of a group at most. Each process loads the packages, and runs them before V8 has compiled them, for a second of
 * the processor; more files would leave one processor idle at the end.
 */
const most = 16
/**
 * Folders whose files share a process with no others. LoopBack's own connector of REST did not end after files that
 * serve folders, which give the process other modules under LoopBack's names.
 */
const apart = ['packages/connector-loopback/test']

t.jobs = Number(process.env.TAP_JOBS ?? 3)
process.chdir(root)
// What tap puts there for coverage costs each process that a test starts a second of the processor.
const { NODE_OPTIONS, ...rest } = process.env
// A unit test loads single files of its package, so all packages are to be files (.ci/bundle.mjs).
const args = [
  // One process makes many applications: with the usual 16 MB for what is young, collections take longer.
  '--conditions=unbundled', '--enable-source-maps', '--max-semi-space-size=64',
  // Little of a test runs often enough to be worth what optimising it costs: V8 begins with that eight times as late.
  '--interrupt-budget=1000000',
  ...['limit.mjs', 'stray-errors.mjs', 'cheap.mjs'].map(file => `--import=${new URL(file, import.meta.url)}`)
]
await makeRsaKeys()
const together = fileURLToPath(new URL('together.mjs', import.meta.url))
const { tests, areNamed, left } = wantedTests(await compileTests(), root, process.env)
if (left > 0) t.comment(`${left} files are for continuous integration: FASTBACK_TEST_FULL=1 npm test runs them, too`)
for (const [name, files] of areNamed ? tests.map(each => [each[0], [each]]) : groups()) {
  const limit = timeout * files.length
  const env = {
    ...rest, FASTBACK_TEST_FILES: JSON.stringify({ files, timeout }), FASTBACK_TEST_LIMIT: String(limit + 10_000)
  }
  t.spawn(process.execPath, [...args, together], { buffered: true, timeout: limit, env }, name)
}

/**
 * Names of groups, with the files of each, source and compiled, in the order of their folders: those over several
 * packages, the tests of whole packages, unit tests. The long ones are first so, and the end is shared well.
 */
function * groups () {
  const inOrder = [...tests].sort(([one], [other]) => rankOf(folderOf(one)) - rankOf(folderOf(other)))
  for (const room of apart) yield [room, inOrder.filter(([source]) => folderOf(source) === room)]
  for (let from = 0; from < inOrder.length; from += most) {
    const files = inOrder.slice(from, from + most).filter(([source]) => !apart.includes(folderOf(source)))
    const rooms = [...new Set(files.map(([source]) => folderOf(source)))]
    yield [`${from / most + 1}: ${rooms.length > 1 ? `${rooms[0]} to ${rooms.at(-1)}` : rooms[0]}`, files]
  }
}

/** Lower ones first. */
function rankOf (room) {
  if (room.endsWith('/src')) return 2
  return room.startsWith('packages/') ? 1 : 0
}
