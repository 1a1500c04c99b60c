/** From names in a database to names in code (discovery.md, DN-3). */
import { underscore, singularize } from 'inflection'

/** `order_line` is `orderLine`; humps that are there stay. */
export function camelName (name: string): string {
  const [first = '', ...rest] = name.split(/[^\p{L}\p{N}$]+/u).filter(part => part !== '')
  return leading(lower(first) + rest.map(capital).join(''))
}

/** `auditLog` is `AuditLog`, `customers` is `Customer`. */
export const modelNameOf = (table: string, keepPlural: boolean): string => {
  const name = capital(camelName(table))
  return keepPlural ? name : singular(name)
}

/** Only the last word of a name changes its number. */
function singular (name: string): string {
  const words = underscore(name).split('_')
  const last = words.at(-1) as string
  const one = singularize(last)
  return one === last || one === '' ? name : name.slice(0, name.length - last.length) + matching(one, name.at(-last.length) as string)
}

const matching = (word: string, first: string): string =>
  first === first.toUpperCase() ? capital(word) : word

/** All capitals are one word (`ID`, `SKU`), and an only word in capitals is a name as databases in capitals have it. */
const lower = (part: string): string =>
  part === part.toUpperCase() ? part.toLowerCase() : part.charAt(0).toLowerCase() + part.slice(1)
const capital = (part: string): string => part.charAt(0).toUpperCase() +
  (part.length > 1 && part === part.toUpperCase() && /\p{L}/u.test(part) ? part.slice(1).toLowerCase() : part.slice(1))

/** What JavaScript or JSON Schema cannot have as a name. */
const unusable = new Set(['constructor', '__proto__', 'prototype'])

export const isUsable = (name: string): boolean => name !== '' && !unusable.has(name)

/** A digit cannot stand first. */
const leading = (name: string): string => /^\p{N}/u.test(name) ? `_${name}` : name
