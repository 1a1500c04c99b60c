/** The properties that a filter of a definition names: in conditions, order and fields. */
import { rankName } from './search-names.js'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Names of properties, without what follows the first dot. Functions and filters in a form of their own name none.
 *
 * ```js
 * namesInFilter({ where: { or: [{ title: 'a' }, { 'place.city': 'b' }] }, order: 'stars DESC' })
 * // ['title', 'place', 'stars']
 * ```
 */
export function namesInFilter (filter: unknown): string[] {
  if (!isRecord(filter)) return []
  const { where, order, fields } = filter
  const names = [
    ...namesInWhere(where),
    ...[order ?? []].flat().filter(each => typeof each === 'string').flatMap(each =>
      each.split(',').map(part => part.trim().split(/\s+/)[0] ?? '')),
    ...isRecord(fields) ? Object.keys(fields) : [fields ?? []].flat().filter(each => typeof each === 'string')
  ]
  return [...new Set(names.map(name => name.split('.')[0] as string))].filter(name => name !== '' && name !== rankName)
}

function namesInWhere (where: unknown): string[] {
  if (Array.isArray(where)) return where.flatMap(namesInWhere)
  if (!isRecord(where)) return []
  return Object.entries(where).flatMap(([key, value]) =>
    ['and', 'or', 'nor'].includes(key) ? namesInWhere(value) : key.startsWith('$') ? [] : [key])
}
