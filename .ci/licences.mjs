// Lists the licences of everything that a user of the packages installs, and fails on one that is not on the list: npm
// run licences
//   node .ci/licences.mjs [--json]
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Licences that ask for nothing but their notice. */
const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
  'Zlib'
])

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

/** An SPDX expression, as far as packages use it: alternatives of lists. */
const isAllowed = licence =>
  licence
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some(choice => choice.split(/ AND /i).every(each => allowed.has(each.trim())))

const listed = spawnSync('npx', ['--yes', packageManager, 'licenses', 'list', '--prod', '--json'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 26
})
if (listed.status !== 0) throw new Error(`pnpm licenses list failed\n${listed.stdout}${listed.stderr}`)
const packages = Object.entries(JSON.parse(listed.stdout))
  .flatMap(([licence, list]) =>
    list.flatMap(({ name, versions }) => versions.map(version => ({ name, version, licence })))
  )
  .sort((a, b) => a.licence.localeCompare(b.licence) || a.name.localeCompare(b.name))
if (packages.length === 0) throw new Error('pnpm lists no package; install the dependencies first (npm run setup)')

if (process.argv.includes('--json')) console.log(JSON.stringify(packages, null, 2))
else for (const { name, version, licence } of packages) console.log(`${licence.padEnd(14)} ${name} ${version}`)
const refused = packages.filter(({ licence }) => !isAllowed(licence))
for (const { name, version, licence } of refused) {
  console.error(`FAIL  ${name} ${version}: ${licence} is not on the list of .ci/licences.mjs`)
}
console.error(
  `${packages.length} packages, ${new Set(packages.map(({ licence }) => licence)).size} licences, ${refused.length} not allowed`
)
process.exitCode = refused.length === 0 ? 0 : 1
