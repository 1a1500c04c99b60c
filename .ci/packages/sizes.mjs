// What a package weighs: its own files, what it brings along, and the time that its import takes.
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { manifestOf, run } from './pack.mjs'

/** Bytes of the files of a folder, without the packages in it. */
function bytesOf (folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + bytesOf(file)
    return entry.isFile() ? sum + statSync(file).size : sum
  }, 0)
}

/** The folder of a dependency, looked for as Node.js does; undefined where it is not installed. */
function folderOf (name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules', name)
    if (existsSync(path.join(found, 'package.json'))) return realpathSync(found)
    if (folder === path.dirname(folder)) return undefined
  }
}

/**
 * The packages that come along with one, without peers, which the application installs itself. Optional ones of other
 * systems are not installed, and do not count.
 * @param {string} folder where the package is, as npm would have installed it
 * @returns {Set<string>} their folders
 */
export function broughtBy (folder) {
  const brought = new Set()
  const visit = from => {
    const { dependencies, optionalDependencies } = manifestOf(from)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = folderOf(name, from)
      if (found === undefined || found === folder || brought.has(found)) continue
      brought.add(found)
      visit(found)
    }
  }
  visit(folder)
  return brought
}

const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

/** Milliseconds of the processor that `import` of a package takes in a new process: the median of some. */
function importTime (dir, name, times) {
  const code = `const before = process.cpuUsage(); await import(${JSON.stringify(name)})
const { user, system } = process.cpuUsage(before); process.stderr.write('\\n' + (user + system) / 1000); process.exit()`
  return median(Array.from({ length: times }, () => {
    const { status, stderr } = run(dir, process.execPath, ['--input-type=module', '--eval', code])
    if (status !== 0) throw new Error(`${name} cannot be imported\n${stderr}`)
    return Number(stderr.split('\n').at(-1))
  }))
}

/**
 * @param {string} dir a project that has the packages (linkPackages)
 * @param {Array<{ name: string, tarball: string, unpacked: string }>} packages
 * @param {number} times how often each is imported; 0: the time is not measured
 * @returns {Array<{ name: string, packed: number, unpacked: number, brought: number, all: number, import: number }>}
 * bytes, but `brought`, a number of packages, and `import`, milliseconds
 */
export function sizesOf (dir, packages, times) {
  return packages.map(({ name, tarball, unpacked }) => {
    const own = bytesOf(unpacked)
    const brought = broughtBy(realpathSync(unpacked))
    return {
      name,
      packed: statSync(tarball).size,
      unpacked: own,
      brought: brought.size,
      all: [...brought].reduce((sum, folder) => sum + bytesOf(folder), own),
      import: times === 0 ? NaN : importTime(dir, name, times)
    }
  })
}

const megabytes = bytes => (bytes / 1e6).toFixed(bytes < 1e5 ? 2 : 1)

/** The sizes as a table of Markdown. */
export const tableOf = sizes => [
  '| Package | packed, MB | unpacked, MB | packages brought | with all of them, MB | `import`, ms |',
  '|---|---|---|---|---|---|',
  ...sizes.map(each => `| \`${each.name}\` | ${megabytes(each.packed)} | ${megabytes(each.unpacked)} | ${each.brought} | ${
    megabytes(each.all)} | ${Math.round(each.import)} |`)
].join('\n')

/** The rows of such a table: what is compared with what is measured. */
export const rowsOf = text => Array.from(
  text.matchAll(/^\| `(@fastback\/[^`]+)` \| [\d.]+ \| ([\d.]+) \| (\d+) \|/gm),
  ([, name, unpacked, brought]) => ({ name, unpacked: Number(unpacked) * 1e6, brought: Number(brought) }))

/**
 * What of a table of sizes holds no longer: a package that it lacks, other dependencies, a size that is a tenth and
 * 50 kB away.
 * @returns {string[]}
 */
export function outdated (text, sizes) {
  const rows = new Map(rowsOf(text).map(row => [row.name, row]))
  return sizes.flatMap(({ name, unpacked, brought }) => {
    const row = rows.get(name)
    if (row === undefined) return [`${name} is not in the table`]
    const difference = Math.abs(row.unpacked - unpacked)
    const isFar = difference > Math.max(unpacked / 10, 50_000)
    return [
      ...(isFar ? [`${name} has ${megabytes(unpacked)} MB, the table says ${megabytes(row.unpacked)}`] : []),
      ...(row.brought === brought ? [] : [`${name} brings ${brought} packages, the table says ${row.brought}`])
    ]
  })
}
