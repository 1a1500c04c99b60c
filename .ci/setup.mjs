// Installs the dependencies with the pinned pnpm, and does nothing when what is installed is what the lock file says.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const stamp = path.join(root, 'node_modules/.fastback-setup')
const read = file => readFileSync(path.join(root, file), 'utf8')

const folders = ['.', '.ci', 'test-fixtures', ...readdirSync(path.join(root, 'packages')).map(name => `packages/${name}`)]
  .filter(folder => existsSync(path.join(root, folder, 'package.json')))
const manifests = folders.map(folder => {
  const { name, bin, dependencies, devDependencies, peerDependencies, optionalDependencies } = JSON.parse(
    read(`${folder}/package.json`)
  )
  return { folder, name, bin, dependencies, devDependencies, peerDependencies, optionalDependencies }
})
const wanted = createHash('sha256')
  .update(
    JSON.stringify([
      process.version,
      process.platform,
      process.arch,
      manifests,
      read('pnpm-workspace.yaml'),
      read('pnpm-lock.yaml')
    ])
  )
  .digest('hex')

const complete = manifests.every(({ folder, dependencies, devDependencies }) =>
  Object.keys({ ...dependencies, ...devDependencies }).every(name =>
    existsSync(path.join(root, folder, 'node_modules', name))
  )
)

if (!complete || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const pnpm = JSON.parse(read('package.json')).packageManager
  // What is said here goes to the standard error: the standard output of `npm test` is the report of the tests.
  console.error('Installing the dependencies')
  // CI=true: pnpm asks nothing when it has to replace an old node_modules
  const { status, error } = spawnSync('npx', ['--yes', pnpm, 'install', '--frozen-lockfile'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
    env: { ...process.env, CI: 'true' }
  })
  if (error) throw error
  if (status !== 0) {
    console.error(
      `setup: the installation failed. After a change of dependencies in a package.json run: npx ${pnpm} install`
    )
    process.exit(status ?? 1)
  }
  writeFileSync(stamp, wanted)
}
