/** Scopes (O-020 to O-023, O-143). */
import { InvalidScope } from '../errors.js'
import type { Client } from '../clients/client.js'

const grammar = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

/**
 * The scopes that a text names, each once; undefined for no text.
 * @throws InvalidScope
 */
export function parseScope (text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  if (!grammar.test(text)) throw new InvalidScope('The scope is malformed.')
  return [...new Set(text.split(' '))]
}

/** The scopes that an option names: `'a b'`, `'a,b'` or a list. */
export const scopeList = (given: string | readonly string[] | undefined): string[] =>
  typeof given === 'string' ? given.split(/[\s,]+/).filter(scope => scope !== '') : [...given ?? []]

/**
 * What a client gets: what it asks for, when it may; without asking, the part of the default that it may have.
 * @throws InvalidScope
 */
export function checkScope (
  client: Client,
  asked: readonly string[] | undefined,
  defaults: readonly string[]
): readonly string[] {
  const mayHave = (scope: string): boolean => client.scopes === undefined || client.scopes.includes(scope)
  if (asked === undefined) return defaults.filter(mayHave)
  if (!asked.every(mayHave)) throw new InvalidScope('The client may not have this scope.')
  return asked
}

export const covers = (all: readonly string[], some: readonly string[]): boolean =>
  some.every(scope => all.includes(scope))
