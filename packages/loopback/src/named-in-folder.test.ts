import { symlinkSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { mayImport } from './named-in-folder.js'

const names = ['loopback', 'loopback-boot']

t.test('what the code of a folder names', async t => {
  const seen = (dir: object): boolean => mayImport(t.testdir(dir as never), names)
  t.notOk(seen({ server: { boot: { 'root.js': "import fs from 'node:fs'\n// no loopback here, 'loopbacks' neither" } } }))
  for (const code of ["import loopback from 'loopback'", 'await import("loopback-boot")', 'import(`loopback`)']) {
    t.ok(seen({ common: { models: { 'note.js': code } } }), code)
  }
  t.ok(seen({ 'a.mts': "import 'loopback'" }))
  t.notOk(mayImport(path.join(t.testdirName, 'missing'), names))
  t.notOk(seen({ 'a.json': '{ "x": "loopback" }', 'b.cjs': "require('loopback')" }), 'neither is an ES module')
  t.notOk(seen({ '.cache': { 'a.js': "import 'loopback'" }, node_modules: { x: { 'a.js': "import 'loopback'" } } }))
})

t.test('packages that are installed in the folder or above may be imported by others', async t => {
  const dir = t.testdir({ node_modules: { 'loopback-boot': {} }, apps: { notes: { 'a.js': '' } } })
  t.ok(mayImport(path.join(dir, 'apps', 'notes'), names))
  t.notOk(mayImport(path.join(dir, 'apps', 'notes'), ['loopback']))
})

t.test('links are followed, and a folder with too many files is not looked through', async t => {
  const linked = t.testdir({ app: {}, shared: { 'a.js': "import 'loopback'" } })
  symlinkSync(path.join(linked, 'shared'), path.join(linked, 'app', 'common'))
  t.ok(mayImport(path.join(linked, 'app'), names))
  const many = t.testdir({ uploads: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`${n}.bin`, ''])) })
  t.ok(mayImport(many, names))
  const fewer = t.testdir({ uploads: Object.fromEntries(Array.from({ length: 1_900 }, (_, n) => [`${n}.bin`, ''])) })
  t.notOk(mayImport(fewer, names))
})
