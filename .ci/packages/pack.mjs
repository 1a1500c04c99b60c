// Packs the published packages as a release does.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

export const manifestOf = folder => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))

/** The folders of the packages that are published; with names only those. */
export const publishedFolders = (root, chosen = []) => readdirSync(path.join(root, 'packages'))
  .filter(name => chosen.length === 0 || chosen.includes(name))
  .map(name => path.join(root, 'packages', name))
  .filter(folder => !manifestOf(folder).private)

/** Runs a command in a folder, and returns its status and what it wrote. */
export const run = (cwd, command, args, env = process.env) =>
  spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'pipe'] })

/**
 * Packs packages into the folder `tarballs` of another folder, and unpacks each beside it.
 * @param {string} root the repository, built
 * @param {string[]} folders of packages
 * @param {string} out an empty folder
 * @returns {Array<{ name: string, version: string, source: string, tarball: string, unpacked: string }>}
 */
export function packAll (root, folders, out) {
  const tarballs = path.join(out, 'tarballs')
  mkdirSync(tarballs, { recursive: true })
  const filters = folders.flatMap(folder => ['--filter', `./${path.relative(root, folder)}`])
  // The hook keeps dependencies in one order, so that a tarball is the same every time.
  const env = { ...process.env, npm_config_pnpmfile: path.join(root, '.ci/pnpmfile.cjs') }
  const pnpm = manifestOf(root).packageManager
  const { status, stdout, stderr } =
    run(root, 'npx', ['--yes', pnpm, '--recursive', ...filters, 'pack', '--pack-destination', tarballs], env)
  if (status !== 0) throw new Error(`pnpm pack failed\n${stdout}${stderr}`)
  return folders.map(source => {
    const { name, version } = manifestOf(source)
    const tarball = path.join(tarballs, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
    const unpacked = path.join(out, path.basename(source))
    mkdirSync(unpacked)
    run(root, 'tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1'])
    return { name, version, source, tarball, unpacked }
  })
}
