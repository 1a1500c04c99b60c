// What `npm test` gives to tap: all tests, by groups of files that share a process, two groups at a time. Where only
// some are wanted, FASTBACK_TESTS names files or groups (`packages/push/test`), each file in a process of its own then.
// TAP_JOBS says how many processes run at a time.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { compileTests, root } from './compile.mjs'

/** Milliseconds for one file. tap's own limit, 30 s, is too short on a loaded machine. */
const timeout = 300_000
/** Files of a group at most: more would leave one processor idle at the end. */
const most = 10

t.jobs = Number(process.env.TAP_JOBS ?? 2)
process.chdir(root)
// What tap puts there for coverage costs each process that a test starts a second of the processor.
const { NODE_OPTIONS, ...rest } = process.env
// A unit test loads single files of its package, so all packages are to be files (.ci/bundle.mjs).
const args = ['--conditions=unbundled', '--enable-source-maps', `--import=${new URL('limit.mjs', import.meta.url)}`]
const together = fileURLToPath(new URL('together.mjs', import.meta.url))
const tests = compileTests()
for (const [name, files] of wantedGroups(process.env.FASTBACK_TESTS?.split(/\s+/))) {
  const limit = timeout * files.length
  const env = {
    ...rest, FASTBACK_TEST_FILES: JSON.stringify({ files, timeout }), FASTBACK_TEST_LIMIT: String(limit + 10_000)
  }
  t.spawn(process.execPath, [...args, together], { buffered: true, timeout: limit, env }, name)
}

/** Names of groups, with the files of each: source and compiled. */
function wantedGroups (wanted) {
  if (wanted === undefined) return [...groups()]
  return [...tests]
    .filter(([source]) => wanted.includes(source) || wanted.includes(roomOf(source)))
    .map(each => [each[0], [each]])
}

/**
 * The unit tests of a package, its other tests, a folder of those over several packages. The long ones first: then the
 * end is shared well.
 */
function * groups () {
  const rooms = new Map()
  for (const each of tests) {
    const room = roomOf(each[0])
    rooms.set(room, [...rooms.get(room) ?? [], each])
  }
  const inOrder = [...rooms].sort(([one], [other]) => rankOf(one) - rankOf(other))
  for (const [room, files] of inOrder) {
    const parts = Math.ceil(files.length / most)
    const size = Math.ceil(files.length / parts)
    for (let part = 0; part < parts; part++) {
      yield [parts === 1 ? room : `${room} (${part + 1} of ${parts})`, files.slice(part * size, (part + 1) * size)]
    }
  }
}

/** `packages/x/src`, `packages/x/test`, `test-fixtures/test/y` */
function roomOf (source) {
  const [, room] = /^(packages\/[^/]+\/(?:src|test))\//.exec(source) ?? []
  return room ?? path.dirname(source)
}

/** Lower ones first. */
function rankOf (room) {
  if (room.endsWith('/src')) return 2
  return room.startsWith('packages/') ? 1 : 0
}
