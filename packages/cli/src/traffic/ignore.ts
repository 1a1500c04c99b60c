/** What the user marks as of no concern: `status`, `header:date`, `body:$.x`, `body:$..at`, `body:$.items[*].at`. */
import { IgnoreError } from '../errors.js'

/** Headers that are about the moment or the connection. */
const momentary = [
  'date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'age', 'x-request-id', 'request-id',
  'x-response-time', 'server-timing', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit'
]

/**
 * Whether a place is ignored. A place of a body is ignored with all that is below it.
 * @throws FBK_CLI_IGNORE of a mark that cannot be read
 */
export function ignoring (marks: readonly string[]): (place: string) => boolean {
  const headers = new Set(momentary.map(name => `header:${name}`))
  const patterns: RegExp[] = []
  for (const mark of marks) {
    const [, kind, rest = ''] = /^(status|header|body)(?::(.+))?$/s.exec(mark) ?? []
    if (kind === 'header' && rest !== '') headers.add(`header:${rest.toLowerCase()}`)
    else if (kind === 'body') patterns.push(bodyPattern(rest === '' ? '$' : rest, mark))
    else if (kind === 'status' && rest === '') headers.add('status')
    else throw new IgnoreError(mark)
  }
  return place => headers.has(place) || patterns.some(pattern => pattern.test(place))
}

function bodyPattern (place: string, mark: string): RegExp {
  if (!/^\$(?:\.\.?[^.[\]]+|\[(?:\d+|\*)\])*$/.test(place)) throw new IgnoreError(mark)
  const steps = [...place.matchAll(/(\.\.?)([^.[\]]+)|\[(\d+|\*)\]/g)].map(([, dots, name = '', index]) => {
    if (index !== undefined) return index === '*' ? '\\[\\d+\\]' : `\\[${index}\\]`
    const key = name === '*' ? '[^.[]+' : name.replace(/[*+?^${}()|\\]/g, '\\$&')
    return dots === '..' ? `(?:[.[].*)?\\.${key}` : `\\.${key}`
  })
  return new RegExp(`^body:\\$${steps.join('')}(?:[.[].*)?$`, 's')
}
