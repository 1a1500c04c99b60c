import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { carryOut, ChangeSet, undoLast, type Plan, type WritingArgs } from '../src/changes/index.js'

const text = `{
    // What the shop sells.
    "Coffee": { "dataSource": "db",   "public": true },

    "Tea": { "dataSource": "db" } // and
}
`

/** A folder with a few files, and what carrying a plan out in it prints. */
function folderWith (t: Test, files: Record<string, string>) {
  const folder = t.testdir()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  const out: string[] = []
  const complaints: string[] = []
  const terminal = {
    cwd: folder,
    env: {},
    interactive: false,
    print: (line: string) => { out.push(line) },
    complain: (line: string) => { complaints.push(line) }
  }
  const run = async (change: (changes: ChangeSet) => void, args: WritingArgs = {}, plan: Partial<Plan> = {}) => {
    const changes = new ChangeSet(folder)
    change(changes)
    return await carryOut({ command: 'add model', changes, ...plan }, args, terminal)
  }
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
  return { folder, out, complaints, run, read }
}

t.test('one value of a file of JSON is set, and every other byte stays', async t => {
  const { run, read } = folderWith(t, { 'a.json': text })
  await run(changes => { changes.setJson('a.json', ['Coffee', 'public'], false) })
  t.equal(read('a.json'), text.replace('true', 'false'))
  await run(changes => { changes.setJson('a.json', ['Milk'], { public: true }) }, {})
  t.equal(read('a.json'), text.replace('true', 'false')
    .replace('" } // and', '" }, // and\n    "Milk": {\n        "public": true\n    }'))
})

t.test('lists grow at their end, keys go, and a file that is not there begins', async t => {
  const { run, read, folder } = folderWith(t, { 'a.json': '{\r\n\t"acls": [1],\r\n\t"x": 1\r\n}\r\n' })
  await run(changes => {
    changes.setJson('a.json', ['acls', -1], 2)
    changes.setJson('a.json', ['x'], undefined)
    changes.setJson('server/new.json', ['Coffee', 'public'], false)
    changes.setJson('server/none.json', ['x'], undefined)
  })
  t.same(JSON.parse(read('a.json')), { acls: [1, 2] })
  t.notMatch(read('a.json'), /[^\r]\n/, 'line breaks are those of the file')
  t.equal(read('server/new.json'), '{\n  "Coffee": {\n    "public": false\n  }\n}\n')
  t.notOk(existsSync(path.join(folder, 'server/none.json')))
})

t.test('a dry run shows the difference and writes nothing', async t => {
  const { run, read, out } = folderWith(t, { 'a.json': text })
  const change = (changes: ChangeSet) => {
    changes.setJson('a.json', ['Tea'], undefined)
    changes.write('b.js', 'b\n')
  }
  await run(change, { 'dry-run': true })
  t.equal(read('a.json'), text)
  t.match(out.join('\n'), '-    "Tea": { "dataSource": "db" }')
  t.match(out.join('\n'), '--- /dev/null\n+++ b/b.js\n@@ -0,0 +1,1 @@\n+b')
  const { written } = await run(change, { 'dry-run': true, json: true })
  t.same(written, [{ file: 'a.json', change: 'changed' }, { file: 'b.js', change: 'created' }])
  t.same(JSON.parse(out.at(-1) as string).written, written)
})

t.test('nothing to do is said and is no failure', async t => {
  const { run, out } = folderWith(t, { 'a.json': text })
  await run(changes => { changes.write('a.json', text) })
  t.same(out, ['Nothing to do.'])
})

t.test('what does not start is put back, with the folders that were made', async t => {
  const { run, read, folder } = folderWith(t, { 'a.json': text, 'gone.js': 'x' })
  const broken = run(changes => {
    changes.write('a.json', '{}')
    changes.write('deep/er/b.js', 'b')
    changes.remove('gone.js')
  }, {}, { check: async () => { throw new Error('no such model') } })
  await t.rejects(broken, { code: 'FBK_CLI_WRITTEN_BROKEN', message: /no such model/ })
  t.equal(read('a.json'), text)
  t.equal(read('gone.js'), 'x')
  t.same(readdirSync(folder).sort(), ['a.json', 'gone.js'])
})

t.test('a write that fails half-way leaves everything as it was', async t => {
  const { run, read, folder } = folderWith(t, { 'a.json': text, b: 'a file' })
  await t.rejects(run(changes => {
    changes.write('a.json', '{}')
    changes.write('b/c.js', 'c')
  }))
  t.equal(read('a.json'), text)
  t.same(readdirSync(folder).sort(), ['a.json', 'b'])
})

t.test('a file that was changed meanwhile is left alone', async t => {
  const { folder, read } = folderWith(t, { 'a.json': text })
  const changes = new ChangeSet(folder)
  changes.write('a.json', '{}')
  writeFileSync(path.join(folder, 'a.json'), 'new')
  const silent = { cwd: folder, env: {}, interactive: false, print () {}, complain () {} }
  await t.rejects(carryOut({ command: 'x', changes }, {}, silent), { code: 'FBK_CLI_CHANGED_MEANWHILE' })
  t.equal(read('a.json'), 'new')
})

t.test('names outside the folder and files that are no JSON are refused', async t => {
  const { folder } = folderWith(t, { 'a.json': '{ "a": ' })
  const changes = new ChangeSet(folder)
  t.throws(() => { changes.write('../x', '') }, { code: 'FBK_CLI_OUTSIDE_FOLDER' })
  t.throws(() => { changes.setJson('a.json', ['a'], 1) }, { code: 'FBK_CLI_NOT_JSON' })
})

t.test('without git a copy is kept, and undo brings it back', async t => {
  const { run, read, out, folder } = folderWith(t, { 'a.json': text })
  // The folder of a test lies in a checkout of git, which knows nothing of it.
  const before = process.env.GIT_DIR
  process.env.GIT_DIR = path.join(folder, 'none')
  t.teardown(() => { if (before === undefined) delete process.env.GIT_DIR; else process.env.GIT_DIR = before })
  await run(changes => { changes.write('a.json', '{}'); changes.write('b.js', 'b') })
  t.match(out.join('\n'), 'Back: fastback undo')
  t.same(undoLast(folder).sort(), ['a.json', 'b.js'])
  t.equal(read('a.json'), text)
  t.notOk(existsSync(path.join(folder, 'b.js')))
  t.throws(() => { undoLast(folder) }, { code: 'FBK_CLI_NOTHING_TO_UNDO' })
})

t.test('with git the files must be clean, and one commit can be made of them', async t => {
  const { run, read, out, folder } = folderWith(t, { 'a.json': text, 'other.txt': 'o' })
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' })
  git('init', '-q')
  git('config', 'user.email', 'test@example.com')
  git('config', 'user.name', 'test')
  git('add', '.')
  git('commit', '-qm', 'first')
  writeFileSync(path.join(folder, 'a.json'), '{ "own": 1 }')
  const change = (changes: ChangeSet) => { changes.setJson('a.json', ['Milk'], 1) }
  await t.rejects(run(change), { code: 'FBK_CLI_NOT_CLEAN', message: /a\.json/ })
  t.equal(read('a.json'), '{ "own": 1 }')
  git('restore', 'a.json')
  writeFileSync(path.join(folder, 'other.txt'), 'another')
  await run(change, { commit: true })
  t.match(out.at(-1), 'Back: git revert HEAD')
  t.equal(git('log', '-1', '--format=%s').trim(), 'fastback add model')
  t.match(git('status', '--porcelain'), 'other.txt', 'what was not planned is not committed')
  await run(changes => { changes.write('b.js', 'b') })
  t.match(out.at(-1), 'Back: rm b.js')
})
