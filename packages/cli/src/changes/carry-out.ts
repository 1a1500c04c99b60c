/**
 * From a plan to files: what every command that writes has in common: `--dry-run`, `--json`, a clean tree, the check of
 * what was written, the way back (generators.md, CL-3 to CL-8).
 */
import type { ArgsDef } from 'citty'
import { debug, dryRun, json } from '../common-options.js'
import { WrittenBrokenError } from '../errors.js'
import type { Terminal } from '../terminal.js'
import type { ChangeSet, FileChange } from './change-set.js'
import { commit, hasGit, keepCopies, mustBeClean } from './undo.js'
import { writeFiles } from './write-files.js'

/** Options of every command that writes into an application. */
export const writing = {
  yes: { type: 'boolean', alias: ['y'], description: 'Ask nothing; take the defaults' },
  answers: {
    type: 'string', description: 'A file of JSON with answers, by the names of the options; - reads the standard input', valueHint: 'file'
  },
  ...dryRun,
  ...json,
  'allow-dirty': { type: 'boolean', description: 'Write into files that have changes git does not know' },
  commit: { type: 'boolean', description: 'Make one commit of what was written' },
  ...debug
} as const satisfies ArgsDef

export interface WritingArgs {
  readonly 'dry-run'?: boolean | undefined
  readonly json?: boolean | undefined
  readonly 'allow-dirty'?: boolean | undefined
  readonly commit?: boolean | undefined
}

/** What a command has planned. */
export interface Plan {
  /** As it is called: `add model`. */
  readonly command: string
  readonly changes: ChangeSet
  /** One line each. */
  readonly warnings?: readonly string[]
  /** What to type next. */
  readonly next?: readonly string[]
  /** What the command found, for `--json`. */
  readonly report?: Readonly<Record<string, unknown>>
  /**
   * Tries what was written, as it then is; throws where it does not work, and everything is put back. Left out where
   * there is nothing that could be tried.
   */
  readonly check?: () => Promise<void>
}

/** What was done. */
export interface Outcome {
  readonly command: string
  readonly written: ReadonlyArray<Pick<FileChange, 'file' | 'change'>>
  readonly warnings: readonly string[]
  readonly next: readonly string[]
}

/**
 * Carries a plan out, or shows it.
 *
 * ```js
 * await carryOut({ command: 'add model', changes, next: ['fastback serve'] }, args, terminal)
 * ```
 * @throws FBK_CLI_NOT_CLEAN, FBK_CLI_CHANGED_MEANWHILE, FBK_CLI_WRITTEN_BROKEN; nothing is written then
 */
export async function carryOut (plan: Plan, args: WritingArgs, terminal: Terminal): Promise<Outcome> {
  const { command, changes: { changes, folder }, warnings = [], next = [], report = {} } = plan
  const outcome: Outcome = { command, written: changes.map(({ file, change }) => ({ file, change })), warnings, next }
  const say = (lines: readonly string[]): void => {
    for (const warning of warnings) terminal.complain(`warning: ${warning}`)
    if (args.json === true) terminal.print(JSON.stringify({ ...outcome, ...report }, null, 2))
    else if (lines.length > 0) terminal.print(lines.join('\n'))
  }
  if (changes.length === 0) {
    say(['Nothing to do.'])
    return outcome
  }
  if (args['dry-run'] === true) {
    const diff = plan.changes.diff().trimEnd()
    if (args.json === true) say([])
    else say([diff])
    return outcome
  }
  const isKept = await hasGit(folder)
  if (isKept && args['allow-dirty'] !== true) await mustBeClean(folder, changes)
  const putBack = writeFiles(folder, changes)
  try {
    await plan.check?.()
  } catch (error) {
    putBack()
    throw new WrittenBrokenError(messageOf(error), { cause: error })
  }
  if (!isKept) keepCopies(folder, changes)
  else if (args.commit === true) await commit(folder, changes, `fastback ${command}`)
  say([
    ...changes.map(({ file, change }) => `${change.padEnd(7)}  ${file}`),
    ...(next.length === 0 ? [] : ['', 'Next:', ...next.map(step => `  ${step}`)]),
    '',
    wayBack(changes, isKept, args.commit === true)
  ])
  return outcome
}

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

function wayBack (changes: readonly FileChange[], isKept: boolean, isCommitted: boolean): string {
  if (!isKept) return 'Back: fastback undo'
  if (isCommitted) return 'Back: git revert HEAD'
  const made = changes.filter(({ change }) => change === 'created').map(({ file }) => file)
  const others = changes.filter(({ change }) => change !== 'created').map(({ file }) => file)
  return `Back: ${[
    ...(others.length === 0 ? [] : [`git restore ${others.join(' ')}`]),
    ...(made.length === 0 ? [] : [`rm ${made.join(' ')}`])
  ].join(' && ')}`
}
