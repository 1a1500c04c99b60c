/** The addresses of other pages of a list. */

type Side = 'after' | 'before'

/**
 * What gives the path and query of a list's address with the cursor of another page in its filter: in the form that
 * the filter is sent in, as JSON or as parameters of their own. Everything else stays as it is.
 *
 * ```js
 * const urlWith = pageUrls('/notes?filter[after]=&filter[limit]=2')
 * urlWith('after', 'x1') // '/notes?filter[limit]=2&filter%5Bafter%5D=x1'
 * pageUrls('/notes?filter={"after":""}')('after', 'x1') // '/notes?filter=%7B%22after%22%3A%22x1%22%7D'
 * ```
 */
export function pageUrls (url: string): (side: Side, cursor: string) => string {
  const start = url.indexOf('?')
  const path = start === -1 ? url : url.slice(0, start)
  const pairs = start === -1 ? [] : url.slice(start + 1).split('&').flatMap(pairOf)
  const isJson = pairs.some(pair => typeof pair === 'object')
  return (side, cursor) => {
    const query = pairs.map(pair => typeof pair === 'string'
      ? pair
      : `filter=${encodeURIComponent(JSON.stringify({ ...pair, [side]: cursor }))}`)
    return `${path}?${[...query, ...(isJson ? [] : [`filter%5B${side}%5D=${cursor}`])].join('&')}`
  }
}

/** What stays of a parameter: its text, or the filter that it holds. Neither has a cursor any more. */
function pairOf (pair: string): Array<string | Record<string, unknown>> {
  if (pair === '') return []
  const [name, value] = partsOf(pair)
  if (name === 'filter[after]' || name === 'filter[before]') return []
  const filter = name === 'filter' ? objectOf(value) : undefined
  if (filter === undefined) return [quoted(pair)]
  const { after: _, before: __, ...rest } = filter
  return [rest]
}

/** What would end the address where it stands between `<` and `>`. */
const quoted = (pair: string): string => pair.replaceAll('<', '%3C').replaceAll('>', '%3E')

function partsOf (pair: string): [name: string, value: string] {
  const at = pair.indexOf('=')
  return at === -1 ? [decoded(pair), ''] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))]
}

function decoded (text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function objectOf (text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value as Record<string, unknown> : undefined
  } catch {
    return undefined
  }
}
