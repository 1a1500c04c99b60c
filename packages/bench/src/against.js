import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inBench } from './paths.js'

/** What of a ratio may be lost: medians of seven rounds on a quiet machine keep within it. */
const TOLERANCE = 0.03

/** What starts the other Fastback, in its checkout. */
const CLI = 'packages/cli/bin/fastback.js'
const BUILT = 'packages/cli/dist/bin.js' // also in a Fastback that has no bundles

/**
 * Another Fastback to compare with: a checkout that is built, or a commit of this repository, which is checked out,
 * installed and built for it (two minutes), away from this one, whose packages it would find otherwise.
 * @param {string} text a folder, or what git calls a commit
 * @returns {{ cli: string, remove: () => void }}
 * @throws when it is neither
 */
export function prepareAgainst (text, say) {
  if (existsSync(join(text, BUILT))) return { cli: resolve(text, CLI), remove: () => {} }
  const quiet = { encoding: /** @type {const} */ ('utf8'), stdio: ['ignore', 'pipe', 'ignore'] }
  const git = (...args) => execFileSync('git', ['-C', inBench('../..'), ...args], quiet)
  const commit = commitOf(git, text)
  const folder = mkdtempSync(join(tmpdir(), 'fastback-against-'))
  const remove = () => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true })
    git('worktree', 'prune')
  }
  process.once('exit', remove)
  say(`Building ${text} (${commit.slice(0, 10)}) to compare with`)
  git('worktree', 'add', '--detach', folder, commit)
  for (const script of ['setup', 'build']) {
    execFileSync('npm', ['run', '--silent', script], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return { cli: join(folder, CLI), remove }
}

function commitOf (git, text) {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${text}^{commit}`).trim()
  } catch {
    throw new Error(`--against: ${text} is neither a folder of a Fastback that is built nor a commit`)
  }
}

/**
 * The loads that have become dearer, as sentences: those whose ratio, the median of what the other took over what this
 * took in the same round, is below 0.97, the time of a database server counted in. The spread over the rounds says how
 * far to trust it, and so does the sentence where the middle half of the rounds is wider than that.
 * @param {ReturnType<typeof import('./summary.js').summarise>} summary whose reference is the other Fastback
 */
export function dearer (summary) {
  return summary
    .filter(({ server, ratioWithDatabase: ratio }) => server === 'fastback' && ratio < 1 - TOLERANCE)
    .map(({ load, ratioWithDatabase: ratio, lowestRatio, highestRatio, middleHalf }) => {
      const noisy = middleHalf > 2 * TOLERANCE ? '; too noisy to be sure: more rounds, or a quieter machine' : ''
      return `${load} costs ${(1 / ratio).toFixed(2)} × what it did: ratio ${ratio.toFixed(2)}, ` +
        `${lowestRatio.toFixed(2)}–${highestRatio.toFixed(2)} over the rounds${noisy}`
    })
}

/**
 * The loads whose ratio to the hand-written server is below its floor, as sentences; the time of a database server
 * counts in.
 * @param {Record<string, number>} floors the least ratio by load
 */
export function belowFloors (summary, floors) {
  return summary
    .filter(({ server, load, ratioWithDatabase: ratio }) => server === 'fastback' && ratio < (floors[load] ?? 0))
    .map(({ load, ratioWithDatabase: ratio }) =>
      `${load}: ${ratio.toFixed(2)} of the hand-written server's requests, the floor is ${floors[load]}`)
}
