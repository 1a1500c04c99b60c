// Packs every published package as a release would, and checks the tarballs: publint, attw, what is inside and how it
// looks on npm. With all packages it compiles a project that imports every entry of them (packages/consumer.mjs), and
// serves the example of the README (packages/readme.mjs).
//   node .ci/check-packages.mjs [folder of packages/ ...]
//   --install      the README's example with packages that npm installed from the tarballs; needs the registry
//   --keep FOLDER  leaves the tarballs there
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { compileConsumer } from './packages/consumer.mjs'
import { manifestOf, packAll, publishedFolders, run } from './packages/pack.mjs'
import { faultsOfPresentation } from './packages/presentation.mjs'
import { tryReadme } from './packages/readme.mjs'
import { buildTracker } from './packages/tracker.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const { values, positionals: chosen } = parseArgs({
  allowPositionals: true, options: { install: { type: 'boolean', default: false }, keep: { type: 'string' } }
})
const folders = publishedFolders(root, chosen)
const out = mkdtempSync(path.join(tmpdir(), 'fastback-pack-'))
let problems = 0
const report = (name, what) => { problems++; console.log(`FAIL  ${name}: ${what}`) }

try {
  const packages = packAll(root, folders, out)
  if (values.keep !== undefined) cpSync(path.join(out, 'tarballs'), values.keep, { recursive: true })

  for (const { name, tarball, unpacked } of packages) {
    const before = problems
    const { messages, pkg } = await publint({ pkgDir: unpacked, pack: false, strict: true })
    for (const message of messages) report(name, `publint: ${formatMessage(message, pkg, { color: false })}`)

    const types = run(root, path.join(root, 'node_modules/.bin/attw'), [
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
    for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']) {
      if (!files.includes(file)) report(name, `${file} is missing`)
    }
    const { exports } = manifestOf(unpacked)
    const isBundled = JSON.stringify(exports).includes('"unbundled"')
    if (isBundled && !files.includes('bundle/index.js')) report(name, 'bundle/index.js is missing')
    if (readFileSync(path.join(unpacked, 'package.json'), 'utf8').includes('workspace:')) {
      report(name, 'package.json still has workspace: ranges')
    }
    for (const fault of faultsOfPresentation(unpacked)) report(name, fault)
    if (problems === before) console.log(`ok    ${name} (${files.length} files)`)
  }
  if (chosen.length === 0) {
    const project = path.join(out, 'consumer')
    mkdirSync(project)
    const errors = compileConsumer(root, project, packages)
    for (const error of errors) report('types', error)
    if (errors.length === 0) console.log('ok    a strict project that imports every entry compiles, skipLibCheck: false')
    const faults = buildTracker(root, path.join(out, 'tracker'), packages)
    for (const fault of faults) report('tracker', fault)
    if (faults.length === 0) console.log('ok    the ticket tracker compiles without a cast, and runs')
    const wrong = await tryReadme(root, path.join(out, 'readme'), packages, { installs: values.install })
    for (const fault of wrong) report('README.md', fault)
    const how = values.install ? 'installed by npm' : 'as packed'
    if (wrong.length === 0) console.log(`ok    the example of README.md serves, with the packages ${how}`)
  }
} finally {
  rmSync(out, { recursive: true })
}
console.log(`${folders.length} packages checked, ${problems} problems`)
process.exitCode = problems === 0 && folders.length > 0 ? 0 : 1
