// What somebody sees of a package on npm: its description and keywords, a README that begins with an example, versions
// that agree with each other.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { manifestOf } from './pack.mjs'

/** Lines of a README that fit on the first screen. */
const firstScreen = 24

/** What is wrong with a README, for the version of its package. */
function faultsOfReadme (text, { name, version }) {
  const lines = text.split('\n')
  const example = lines.findIndex(line => /^```(?:js|ts|sh)\b/.test(line))
  const table = lines.findIndex(line => /^\|[^|]*\| Fastify \|/.test(line))
  const major = version.split('.')[0]
  return [
    ...(lines[0] === `# ${name}` ? [] : [`README.md does not begin with "# ${name}"`]),
    ...(example >= 0 && example < firstScreen ? [] : [`README.md has no example in its first ${firstScreen} lines`]),
    ...(table < 0 || lines[table + 2].startsWith(`| ${major}.x |`)
      ? []
      : [`README.md:${table + 3}: the table of versions does not say ${major}.x`])
  ]
}

/**
 * @param {string} unpacked the folder of a package as it was packed
 * @returns {string[]} faults
 */
export function faultsOfPresentation (unpacked) {
  const manifest = manifestOf(unpacked)
  const { name, version, description = '', keywords = [], engines, dependencies, peerDependencies } = manifest
  const read = file => readFileSync(path.join(unpacked, file), 'utf8')
  const ranges = Object.entries({ ...dependencies, ...peerDependencies })
    .filter(([each, range]) => each.startsWith('@fastback/') && range !== `^${version}`)
  return [
    ...(description.length >= 20 && description.length <= 140 && description.endsWith('.')
      ? []
      : ['description is no sentence of 20 to 140 characters']),
    ...(keywords.length >= 4 && keywords.includes('fastback') ? [] : ['keywords: at least four, and fastback']),
    ...(engines?.node?.startsWith('>=20') === true ? [] : ['engines.node does not begin with >=20']),
    ...(manifest.publishConfig?.provenance === true ? [] : ['publishConfig.provenance is not true']),
    ...ranges.map(([each, range]) => `depends on ${each} ${range} in place of ^${version}`),
    ...faultsOfReadme(read('README.md'), { name, version }),
    ...(read('CHANGELOG.md').includes(`\n## ${version}\n`) ? [] : [`CHANGELOG.md has no section ${version}`])
  ]
}
