/** What of a query a legacy connector is asked for, as people read it (`fastback doctor`). */
import type { Traits } from './traits.js'

const allRead = 'order, limit, skip: in JavaScript, after all rows that "where" leaves were read'

/**
 * What is handed down to a connector, and what is left to JavaScript, each on a line. It is said of what `where.ts`,
 * `trusted-where.ts` and `reading.ts` do.
 *
 * ```js
 * handedDown(store.traits) // ['where: handed down', …]
 * ```
 */
export function handedDown (traits: Traits): string[] {
  if (!traits.filters) {
    return ['where: handed down, and each row is looked at again (its "all" takes no options)', allRead]
  }
  return traits.trusted ? trusted(traits) : certain(traits)
}

function trusted ({ documents, relational, ignoresCase }: Traits): string[] {
  const where = [
    'nor', 'regexp and near',
    ...(documents ? [] : ['paths into objects and undeclared properties', 'objects and lists']),
    ...(relational ? ignoresCase ? [] : ['ilike and nilike'] : ['like and ilike'])
  ]
  return [
    `where: handed down, but for ${where.join('; ')}, which are looked at in JavaScript`,
    documents
      ? 'order: handed down'
      : 'order: handed down, but for paths into objects and undeclared properties: these in JavaScript',
    'limit, skip: handed down where all of "where" and "order" is; else in JavaScript, after the rows were read'
  ]
}

/* "exactQueries": true */
function certain ({ exactText, nullsFirst }: Traits): string[] {
  const text = exactText ? 'equality of text' : 'equality of text, which is looked at again'
  return [
    `where: comparisons of numbers, booleans and dates, ${text}; all else in JavaScript ("exactQueries": true)`,
    `order: by ${nullsFirst ? 'numbers, booleans and dates' : 'an id that is a number or a date'}; else in JavaScript`,
    'limit, skip: handed down where all of "where" and "order" is; else in JavaScript, after the rows were read'
  ]
}
