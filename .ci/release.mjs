// Publishes the packages, or does all of it but the publishing: npm run release -- --dry-run
//   1. refuses a working tree with changes, and changesets that wait for a version
//   2. installs and builds
//   3. packs the packages and checks the tarballs (check-packages.mjs); the README's example runs on them
//   4. compares the table of sizes with what was packed (sizes.mjs)
//   5. asks the changesets what is to be published
//   6. a dry run: lets npm go through each tarball as it would publish it; nothing of it needs the network
//      a release: asks for advisories, packs from two clean checkouts, and publishes what the registry does not have
// Ends with 1 where a step fails; the steps after it do not run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const { values: { 'dry-run': isDry } } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
/** For packing and publishing alone: an installation takes it for another lock file. */
const packing = { npm_config_pnpmfile: path.join(root, '.ci/pnpmfile.cjs') }

/** Runs a command with its output on the terminal. */
function command (name, args, env = {}) {
  const { status, error } = spawnSync(name, args, {
    cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit']
  })
  if (status !== 0) throw new Error(`${[name, ...args].join(' ')} failed${error === undefined ? '' : `: ${error.message}`}`)
}

/** What a command writes. */
function outputOf (name, ...args) {
  const { status, stdout, stderr } = spawnSync(name, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${[name, ...args].join(' ')} failed\n${stderr}`)
  return stdout
}

function requireCleanTree () {
  const changes = outputOf('git', 'status', '--porcelain').trimEnd()
  if (changes !== '') throw new Error(`the working tree has changes; a release is made of a commit\n${changes}`)
}

/** Changesets that name packages: they ask for a version that was not made yet. */
function waitingChangesets () {
  const folder = path.join(root, '.changeset')
  return readdirSync(folder).filter(name => name.endsWith('.md') && name !== 'README.md')
    .filter(name => /^---\n\s*['"]?@fastback\//.test(readFileSync(path.join(folder, name), 'utf8')))
}

/** A dry run says what waits; a release wants a version for it first. */
function lookAtChangesets () {
  const waiting = waitingChangesets()
  if (waiting.length === 0) return
  const message = `${waiting.length} changesets wait for a version (npx changeset version): ${waiting.join(', ')}`
  if (!isDry) throw new Error(message)
  console.log(message)
}

/** Each tarball, as npm would publish it. */
function publishDry (folder) {
  for (const tarball of readdirSync(folder).sort()) {
    const file = path.join(folder, tarball)
    const said = outputOf('npm', 'publish', file, '--dry-run', '--offline', '--json')
    // By version npm prints the package, or the package under its name.
    const printed = JSON.parse(said)
    const { id, size, unpackedSize, entryCount } = 'id' in printed ? printed : Object.values(printed)[0]
    console.log(`ok    ${id}: ${entryCount} files, ${size} bytes packed, ${unpackedSize} unpacked`)
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'fastback-release-'))
const npm = (...args) => { command('npm', ['run', '--silent', ...args]) }
const steps = [
  ['clean tree', requireCleanTree],
  ['changesets', lookAtChangesets],
  ['set-up', () => { npm('setup') }],
  ['build', () => { npm('build') }],
  ['packages', () => { npm('packages', '--', '--keep', folder, ...isDry ? [] : ['--install']) }],
  ['sizes', () => { npm('sizes', '--', '--check') }],
  ['changeset status', () => { command('npx', ['changeset', 'status']) }],
  ...isDry
    ? [['publish, dry', () => { publishDry(folder) }]]
    : [
        ['advisories', () => { npm('advisories') }],
        ['clean checkout', () => { npm('clean-checkout') }],
        ['publish', () => { command('npx', ['changeset', 'publish'], packing) }]
      ],
  ['clean tree', requireCleanTree]
]

try {
  for (const [name, step] of steps) {
    console.log(`=== ${name}`)
    step()
  }
  console.log(isDry ? 'A release would publish this. Nothing was published.' : 'Published.')
} catch (error) {
  console.error(`release: ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
