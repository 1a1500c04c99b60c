/** `fastback upgrade`: what of a folder was written for LoopBack 2, and its way to version 3 (generators.md, 10). */
import path from 'node:path'
import {
  Folder, positionAt, readSources, upgradeRules, type Found, type Parse, type Script, type TextEdit,
  type UpgradeChoices,
  type UpgradeRule, type UpgradeSeverity
} from '@fastback/boot/upgrade'
import { applyEdits } from 'jsonc-parser'
import { ChangeSet } from './changes/index.js'
import { UsageError } from './errors.js'

export interface UpgradeOptions extends UpgradeChoices {
  /** Plans what can be mended. Default: false, it is only looked for. */
  readonly fix?: boolean | undefined
  /** These rules alone: `['UP-04']`. Default: all. */
  readonly only?: readonly string[] | undefined
}

/** One place that the upgrade is about. */
export interface UpgradeFinding {
  /** `UP-01` … `UP-20`. */
  readonly rule: string
  readonly severity: UpgradeSeverity
  /** Relative to the folder, with slashes. */
  readonly file: string
  /** Both from 1. */
  readonly line: number
  readonly column: number
  readonly what: string
  /** `none`: nothing has to be done. */
  readonly fix: 'done' | 'available' | 'by hand' | 'none'
  /** The line as it was. */
  readonly before: string
  /** What stands there instead, or what to write; empty where it goes. */
  readonly after: string
  /** Whether it may be something else: look yourself. Such a finding breaks no `--check`. */
  readonly isWeak: boolean
}

export interface Upgrade {
  readonly changes: ChangeSet
  readonly findings: readonly UpgradeFinding[]
  /** Files that could not be looked at. */
  readonly unread: ReadonlyArray<{ readonly file: string, readonly why: string }>
}

/** A file has that many fixes within each other at the most. */
const mostRounds = 20

/**
 * Looks at a folder, and plans what can be mended by itself. Its code does not run, and nothing is written before
 * `changes` are (`carryOut`, `writeFiles`).
 *
 * ```js
 * const { findings, changes } = await upgrade('my-app', { fix: true, only: ['UP-06'] })
 * console.log(findings.filter(({ fix }) => fix === 'by hand'), changes.diff())
 * ```
 * @throws FBK_BOOT_FOLDER; FBK_CLI_USAGE for a rule that there is not
 */
export async function upgrade (dir: string, { fix = false, only, ...choices }: UpgradeOptions = {}): Promise<Upgrade> {
  const folder = Folder.locate(dir)
  const changes = new ChangeSet(folder.root)
  const seen = new Map<string, Script>()
  const { parseSync } = await import('oxc-parser')
  const parseTypeScript: Parse = (text, file) => {
    const { program, errors: [fault] } = parseSync(path.basename(file), text, { preserveParens: false })
    if (fault !== undefined) throw new SyntaxError(fault.message)
    return { ...program }
  }
  const sources = () => readSources(folder, { read: file => changes.read(file), parseTypeScript, seen })
  const findings = rulesNamed(only).flatMap(rule => {
    const done: UpgradeFinding[] = []
    for (let round = 0; ; round++) {
      const found = rule.find(sources(), choices)
      const mended = fix && round < mostRounds ? mend(changes, found, finding => toldOf(changes, rule, finding, 'done')) : []
      if (mended.length === 0) return [...done, ...found.map(each => toldOf(changes, rule, each))]
      done.push(...mended)
    }
  })
  return { changes, findings, unread: sources().unread }
}

function rulesNamed (only: readonly string[] | undefined): readonly UpgradeRule[] {
  const unknown = only?.find(name => !upgradeRules.some(({ rule }) => rule === name))
  if (unknown !== undefined) {
    throw new UsageError(`There is no rule "${unknown}". There are: ${upgradeRules.map(({ rule }) => rule).join(', ')}.`)
  }
  return only === undefined ? upgradeRules : upgradeRules.filter(({ rule }) => only.includes(rule))
}

function toldOf (
  changes: ChangeSet,
  { rule, severity: usual }: UpgradeRule,
  { file, offset, what, after, edits, severity = usual, isWeak = false }: Found,
  done?: 'done'
): UpgradeFinding {
  const { line, column, said } = positionAt(changes.read(file) ?? '', offset)
  const fix = done ?? (edits !== undefined ? 'available' : severity === 'note' && !isWeak ? 'none' : 'by hand')
  return { rule, severity, file, line, column, what, fix, before: said, after, isWeak }
}

/**
 * Plans the edits of what was found; what stands within another one is left for the next round.
 * @returns those whose edits were planned
 */
function mend (changes: ChangeSet, found: readonly Found[], told: (found: Found) => UpgradeFinding): UpgradeFinding[] {
  const texts: TextEdit[] = []
  const isSame = (a: TextEdit, b: TextEdit) =>
    a.file === b.file && a.offset === b.offset && a.length === b.length && a.content === b.content
  const meets = (a: TextEdit, b: TextEdit) =>
    a.file === b.file && !isSame(a, b) && a.offset < b.offset + b.length && b.offset < a.offset + a.length
  const taken = found.filter(({ edits = [] }) => {
    const own = edits.filter(edit => 'offset' in edit)
    if (edits.length === 0 || own.some(edit => texts.some(other => meets(edit, other)))) return false
    texts.push(...own.filter(edit => !texts.some(other => isSame(edit, other))))
    return true
  })
  const findings = taken.map(told)
  for (const file of new Set(texts.map(edit => edit.file))) {
    changes.write(file, applyEdits(changes.read(file) ?? '', texts.filter(edit => edit.file === file)))
  }
  for (const edit of taken.flatMap(({ edits = [] }) => edits)) {
    if ('at' in edit) changes.setJson(edit.file, [...edit.at], edit.value)
  }
  return findings
}
