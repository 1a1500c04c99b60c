/** What a rule of the upgrade is, and what it finds. */
import type { JSONPath } from 'jsonc-parser'
import type { SyntaxNode } from './syntax.js'
import type { JsonFile } from './json-file.js'
import type { Script } from './script.js'
import type { Sources } from './sources.js'

/** `breaks`: it does not run any more; `changes`: it runs, and does something else; `note`: nothing is to be done. */
export type UpgradeSeverity = 'breaks' | 'changes' | 'note'

/** What is only changed when it is asked for. */
export interface UpgradeChoices {
  /** UP-04: `"replaceOnPUT": false` in each model. Default: false. */
  readonly keepPut?: boolean | undefined
  /** UP-09: `"forceId": false` in each model. Default: false. */
  readonly keepIds?: boolean | undefined
  /** UP-07: what stands in place of dots. Default: names stay. */
  readonly renameDots?: string | undefined
  /** UP-12: a hook in place of each removed event. Default: false. */
  readonly stub?: boolean | undefined
  /** UP-14: all five properties of each user model. Default: those that are used. */
  readonly all?: boolean | undefined
  /** UP-01: what package.json says of the framework. Default: the package on npm. */
  readonly loopback?: string | undefined
}

/** A change of a text at its offsets. */
export interface TextEdit {
  readonly file: string
  readonly offset: number
  readonly length: number
  readonly content: string
}
/** A value of a file of JSON, set after the text edits of the same rule; undefined takes the key away. */
export interface JsonEdit { readonly file: string, readonly at: JSONPath, readonly value: unknown }
export type UpgradeEdit = TextEdit | JsonEdit

/** One place that a rule found. */
export interface Found {
  readonly file: string
  readonly offset: number
  readonly what: string
  /** What stands there afterwards, or what to write. */
  readonly after: string
  /** How it is done by itself; none: by hand. */
  readonly edits?: readonly UpgradeEdit[] | undefined
  /** Where it is not that of the rule. */
  readonly severity?: UpgradeSeverity | undefined
  /** It may well be something else: look yourself. */
  readonly isWeak?: boolean | undefined
}

export interface UpgradeRule {
  /** `UP-01` … `UP-19`, by the number of the specification; `UP-20` for what has none. */
  readonly rule: string
  readonly severity: UpgradeSeverity
  /** What to do. */
  readonly what: string
  find (sources: Sources, choices: UpgradeChoices): Found[]
}

export const atNode = (script: Script, node: SyntaxNode, found: Omit<Found, 'file' | 'offset'>): Found =>
  ({ file: script.file, offset: node.start, ...found })

export const atKey = (json: JsonFile, at: JSONPath, found: Omit<Found, 'file' | 'offset'>): Found =>
  ({ file: json.file, offset: json.offset(...at), ...found })

export const replace = (script: Script, { start, end }: Pick<SyntaxNode, 'start' | 'end'>, content: string): TextEdit =>
  ({ file: script.file, offset: start, length: end - start, content })

/** Gives a key another name, where it stands. */
export function renameKey (json: JsonFile, at: JSONPath, name: string): UpgradeEdit[] {
  const key = json.key(...at)
  if (key === undefined) return []
  return [{ file: json.file, offset: key.offset, length: key.length, content: JSON.stringify(name) }]
}

/** Takes a statement away, with its line where nothing else stands on it. */
export function removeStatement (script: Script, { start, end }: SyntaxNode): TextEdit {
  const { text } = script
  const before = /(^|\n)[ \t]*$/.exec(text.slice(0, start))
  const behind = /^[ \t]*(\r?\n|$)/.exec(text.slice(end))
  if (before === null || behind === null) return replace(script, { start, end }, '')
  return replace(script, { start: start - before[0].length + (before[1] ?? '').length, end: end + behind[0].length }, '')
}

/** Takes an item of a list away (property, argument), with its comma. */
export function removeItem (script: Script, items: readonly SyntaxNode[], item: SyntaxNode): TextEdit {
  const index = items.indexOf(item)
  const next = items[index + 1]
  const previous = items[index - 1]
  if (next !== undefined) return replace(script, { start: item.start, end: next.start }, '')
  if (previous !== undefined) return replace(script, { start: previous.end, end: item.end }, '')
  const comma = /^\s*,/.exec(script.text.slice(item.end))?.[0].length ?? 0
  return replace(script, { start: item.start, end: item.end + comma }, '')
}
