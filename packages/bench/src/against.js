import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inBench } from './paths.js'

/** What of a ratio may be lost: medians of seven rounds on a quiet machine keep within it. */
const TOLERANCE = 0.03

/** What starts the other Fastback, in its checkout. */
const CLI = 'packages/cli/bin/fastback.js'
const BUILT = 'packages/cli/dist/bin.js'

/**
 * Another Fastback to compare with: a checkout that is built, or a commit of this repository, which is checked out,
 * installed and built for it (two minutes).
 * @param {string} text a folder, or what git calls a commit
 * @returns {{ cli: string, remove: () => void }}
 */
export function prepareAgainst (text, say) {
  if (existsSync(join(text, BUILT))) return { cli: resolve(text, CLI), remove: () => {} }
  const root = inBench('../..')
  const folder = inBench('.against')
  const git = (...args) => execFileSync('git', ['-C', root, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  const remove = () => git('worktree', 'remove', '--force', folder)
  if (existsSync(folder)) remove()
  git('worktree', 'add', '--detach', folder, text)
  try {
    say(`Building ${text} to compare with`)
    for (const script of ['setup', 'build']) {
      execFileSync('npm', ['run', '--silent', script], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    }
  } catch (error) {
    remove()
    throw error
  }
  return { cli: join(folder, CLI), remove }
}

/**
 * The loads that have become dearer, as sentences.
 * @param {Array<{ load: string, server: string, ratio: number }>} summary whose reference is the other Fastback
 */
export function dearer (summary) {
  return summary
    .filter(({ server, ratio }) => server === 'fastback' && ratio < 1 - TOLERANCE)
    .map(({ load, ratio }) => `${load} costs ${(1 / ratio).toFixed(2)} × what it did`)
}

/**
 * The loads whose ratio to the hand-written server is below its floor, as sentences.
 * @param {Record<string, number>} floors the least ratio by load
 */
export function belowFloors (summary, floors) {
  return summary
    .filter(({ server, load, ratio }) => server === 'fastback' && ratio < (floors[load] ?? 0))
    .map(({ load, ratio }) => `${load}: ${ratio.toFixed(2)} of the hand-written server, the floor is ${floors[load]}`)
}
