/**
 * Parts of filters that stand in the query by themselves, where nothing reads them: `?limit=3` of a list takes all of
 * its rows, `DELETE /authors/1/books?where=…` all books.
 */
import type { SharedMethod } from '@fastback/core'
import { filterKeys, hasFilterPart } from '@fastback/core/remote'
import { badRequest } from '../errors/request-errors.js'
import { queryNames, queryText } from '../parse/query.js'
import { sourceOf } from '../parse/source.js'
import type { RequestCheck } from './unsupported-headers.js'

/**
 * What judges the query of requests for a method of a model or a relation. Methods of an application may read of the
 * query what they like, and so do the hooks of models that say `unknownFilterKeys: "ignore"`: their log tells of it
 * once.
 *
 * ```js
 * filterCheckOf(method)(request) // throws for GET /api/notes?limit=3
 * ```
 */
export function filterCheckOf (method: SharedMethod): RequestCheck {
  const isOwn = method.builtin === undefined && method.relation === undefined && method.nested === undefined
  const read = new Set(method.accepts.filter(argument => sourceOf(argument) !== 'function').map(({ arg }) => arg))
  const unread = new Set(isOwn ? [] : ['filter', ...filterKeys].filter(name => !read.has(name)))
  if (unread.size === 0) return () => {}
  return ({ url }) => {
    const text = queryText(url)
    if (text === undefined) return
    for (const name of queryNames(text)) {
      const isPart = name === 'filter' || hasFilterPart(method.model.compiled, name)
      if (unread.has(name) && isPart) refuse(method, name, read.has('filter'))
    }
  }
}

function refuse ({ model: { compiled: model }, fullName }: SharedMethod, key: string, hasFilter: boolean): void {
  const message = `The parameter "${key}" of the query has no effect on ${fullName}`
  if (!model.refusesFilterKeys) {
    model.tellIgnored(message)
    return
  }
  const hint = hasFilter ? ` It is a part of "filter": filter[${key}]=…` : ''
  throw badRequest(`${message}.${hint}`, 'UNKNOWN_FILTER_KEY', { key })
}
