// Which tests `npm test` runs, and which only continuous integration does.
import { readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * A test that takes long, and seldom finds what the others do not, says so and why, in a line of its own at its start:
 * `// FASTBACK_TEST_FULL: a thousand rows on four stores.` Without the variable it is left out (CONTRIBUTING.md).
 */
const marker = /^\/\/ FASTBACK_TEST_FULL: .+/m

/**
 * ```js
 * wantedTests(await compileTests(), root, process.env)
 * ```
 * @param {Map<string, string>} tests compiled files by their sources, relative to `root`
 * @param {string} root
 * @param {{ FASTBACK_TESTS?: string, FASTBACK_TEST_FULL?: string }} env
 * @returns {{ tests: Array<[string, string]>, areNamed: boolean, left: number }} `left`: how many were left out
 */
export function wantedTests (tests, root, env) {
  const all = [...tests]
  const names = env.FASTBACK_TESTS?.split(/\s+/)
  if (names !== undefined) {
    const wanted = all.filter(([source]) => names.includes(source) || names.includes(folderOf(source)))
    return { tests: wanted, areNamed: true, left: 0 }
  }
  if (env.FASTBACK_TEST_FULL !== undefined) return { tests: all, areNamed: false, left: 0 }
  const wanted = all.filter(([source]) => !marker.test(readFileSync(path.join(root, source), 'utf8')))
  return { tests: wanted, areNamed: false, left: all.length - wanted.length }
}

/** `packages/x/src`, `packages/x/test`, `test-fixtures/test/y` */
export function folderOf (source) {
  const [, folder] = /^(packages\/[^/]+\/(?:src|test))\//.exec(source) ?? []
  return folder ?? path.dirname(source)
}
