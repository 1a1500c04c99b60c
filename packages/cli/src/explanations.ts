/**
 * What there is to say of every error code: `errors.json`, which `node .ci/docs.mjs --write` makes of the sources.
 * Every command loads this, for the case that it fails: it reads the file when it is asked, and imports nothing else.
 */
import { readFileSync } from 'node:fs'

export interface Explanation {
  readonly code: string
  /** Where it comes up: at the start or in a command, in a response, in a report of `fastback audit`, in a browser. */
  readonly kind: 'start' | 'request' | 'audit' | 'browser'
  /** Names of packages, without their scope. */
  readonly packages: readonly string[]
  /** Of requests: the statuses of the responses. */
  readonly statuses?: readonly number[]
  readonly meaning?: string
  /** Messages, with "…" for what is filled in. */
  readonly says: readonly string[]
  /** The usual cause, and what to do. */
  readonly cause?: string
  readonly cure?: string
  /** Where there is more to read. */
  readonly see?: readonly string[]
}

/**
 * All of them, by code.
 *
 * ```js
 * explanations().map(({ code }) => code) // ['ACCESS_DENIED', …]
 * ```
 */
export const explanations = (): readonly Explanation[] =>
  JSON.parse(readFileSync(new URL('../errors.json', import.meta.url), 'utf8')) as Explanation[]

/** Undefined for a code that is not ours. */
export const explanationOf = (code: string): Explanation | undefined =>
  explanations().find(each => each.code === code.toUpperCase())

/** A code as people read it. */
export function explanationText (explanation: Explanation): string {
  const { code, kind, packages, statuses, meaning, says, cause, cure, see } = explanation
  const names = packages.map(name => `@fastback/${name}`).join(', ')
  const place = kind === 'request' ? `status ${(statuses ?? []).join(' or ')} of an answer` : places[kind]
  const lines = [
    ['Where', `${place}, from ${names}`],
    ['Means', says.some(text => saysIt(text, meaning)) ? undefined : meaning],
    ...says.map(text => ['It says', text]),
    ['Cause', cause],
    ['To do', cure],
    ['See', see?.join(', ')]
  ].filter((line): line is [string, string] => line[1] !== undefined)
  return [code, ...lines.map(([name, text]) => `  ${name.padEnd(8)} ${sentence(text)}`)].join('\n')
}

/** Whether a message says the meaning itself: it may quote what the meaning only hints at. */
const saysIt = (text: string, meaning = ''): boolean => bare(text).includes(bare(meaning))

const bare = (text: string): string => text.replaceAll(/["….]/g, '').toLowerCase()

const places = {
  start: 'at the start, or in a command', audit: 'a finding of "fastback audit"', browser: 'in a browser'
}

/** Names of files keep their letters. */
const sentence = (text: string): string => /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text

/** The codes of each package, a line each. */
export function listText (all: readonly Explanation[]): string {
  const owners = [...new Set(all.flatMap(({ packages }) => packages.slice(0, 1)))].sort()
  const width = Math.max(...all.map(({ code }) => code.length))
  return owners.map(owner => [
    `@fastback/${owner}`,
    ...all.filter(({ packages: [first] }) => first === owner).map(({ code, meaning, says, cause }) =>
      `  ${code.padEnd(width)}  ${sentence(meaning ?? says[0] ?? cause ?? '')}`)
  ].join('\n')).join('\n\n')
}
