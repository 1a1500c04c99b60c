// Packs every published package as a release would, and checks the tarballs: publint, attw and what is inside. With all
// packages it also compiles a project that imports every entry of them (packages/consumer.mjs).
//   node .ci/check-packages.mjs [folder of packages/ ...]
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { compileConsumer } from './packages/consumer.mjs'
import { buildTracker } from './packages/tracker.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const manifest = folder => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
const pnpm = manifest(root).packageManager
const chosen = process.argv.slice(2)
const folders = readdirSync(path.join(root, 'packages'))
  .filter(name => chosen.length === 0 || chosen.includes(name))
  .map(name => path.join(root, 'packages', name))
  .filter(folder => !manifest(folder).private)

const run = (command, args) =>
  spawnSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const out = mkdtempSync(path.join(tmpdir(), 'fastback-pack-'))
let problems = 0
const report = (name, what) => { problems++; console.log(`FAIL  ${name}: ${what}`) }

try {
  const filters = folders.flatMap(folder => ['--filter', `./${path.relative(root, folder)}`])
  const packed = run('npx', ['--yes', pnpm, '--recursive', ...filters, 'pack', '--pack-destination', out])
  if (packed.status !== 0) throw new Error(`pnpm pack failed\n${packed.stdout}${packed.stderr}`)

  for (const folder of folders) {
    const { name, version } = manifest(folder)
    const before = problems
    const tarball = path.join(out, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)

    const unpacked = path.join(out, path.basename(folder))
    mkdirSync(unpacked)
    run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1'])

    const { messages, pkg } = await publint({ pkgDir: unpacked, pack: false, strict: true })
    for (const message of messages) report(name, `publint: ${formatMessage(message, pkg, { color: false })}`)

    const types = run(path.join(root, 'node_modules/.bin/attw'), [
      tarball,
      '--profile',
      'esm-only',
      '--format',
      'ascii',
      '--no-color',
      '--no-emoji'
    ])
    if (types.status !== 0) report(name, `attw:\n${types.stdout}${types.stderr}`)

    const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile()).map(entry => path.relative(unpacked, path.join(entry.path, entry.name)))
    for (const file of files) {
      // the tests of a template are part of it
      const ownTest = /\.test\.[a-z.]+$/.test(file) && !file.startsWith('templates/')
      if (ownTest || /\.tsbuildinfo$|^test\/|\/node_modules\//.test(file)) report(name, `${file} must not be published`)
    }
    for (const file of ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']) {
      if (!files.includes(file)) report(name, `${file} is missing`)
    }
    const { exports } = manifest(unpacked)
    const isBundled = JSON.stringify(exports).includes('"unbundled"')
    if (isBundled && !files.includes('bundle/index.js')) report(name, 'bundle/index.js is missing')
    if (readFileSync(path.join(unpacked, 'package.json'), 'utf8').includes('workspace:')) {
      report(name, 'package.json still has workspace: ranges')
    }
    if (problems === before) console.log(`ok    ${name} (${files.length} files)`)
  }
  if (chosen.length === 0) {
    const packages = folders.map(folder => ({ source: folder, unpacked: path.join(out, path.basename(folder)) }))
    const project = path.join(out, 'consumer')
    mkdirSync(project)
    const errors = compileConsumer(root, project, packages)
    for (const error of errors) report('types', error)
    if (errors.length === 0) console.log('ok    a strict project that imports every entry compiles, skipLibCheck: false')
    const faults = buildTracker(root, path.join(out, 'tracker'), packages)
    for (const fault of faults) report('tracker', fault)
    if (faults.length === 0) console.log('ok    the ticket tracker compiles without a cast, and runs')
  }
} finally {
  rmSync(out, { recursive: true })
}
console.log(`${folders.length} packages checked, ${problems} problems`)
process.exitCode = problems === 0 && folders.length > 0 ? 0 : 1
