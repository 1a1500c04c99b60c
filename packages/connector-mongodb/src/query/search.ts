/**
 * Searches as filters of MongoDB. `$text` finds documents that have any of the words, and joins words at `_`; so it is
 * not asked. What is asked leaves out documents that lack the letters of a word: JavaScript reads the others.
 */
import type { SearchCondition } from '@fastback/core'
import type { DocumentMap } from '../documents/document-map.js'
import type { Document } from '../driver.js'

/** Texts that look like ids are stored as ids (`objectIds`). */
const isId = /^[0-9a-f]{24}$/

/** Letters of ASCII, whose other forms are known: other words are not asked for. */
const isAsked = (word: string): boolean => /^[a-z0-9]+$/.test(word) && !isId.test(word)

/** Those that are folded to a letter of ASCII beside its capital. */
const others: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f' }

const patternOf = (word: string): string =>
  word.replace(/[a-z]/g, letter => `[${letter}${letter.toUpperCase()}${others[letter] ?? ''}]`)

/** A filter that lets every document through that has the words. */
export function wordsFilter ({ index, terms }: SearchCondition, map: DocumentMap): Document {
  const words = new Set(terms.filter(({ excluded }) => !excluded).flatMap(({ words }) => words).filter(isAsked))
  const names = index.properties.map(property => map.field(property)?.name ?? property)
  const each = [...words].map(word => ({ $or: names.map(name => ({ [name]: { $regex: patternOf(word) } })) }))
  return each.length === 0 ? {} : { $and: each }
}
