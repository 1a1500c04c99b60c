import { FAR } from '../../articles.js'
import { queriesDialect } from '../../dialect.js'

const STEP = 5000

async function nextCursor (url, params, cursor) {
  const { path } = queriesDialect.q5({ page: 0, ...params }, { cursors: [cursor] })
  const response = await fetch(url + path)
  const text = await response.text()
  const next = response.headers.get('x-next-cursor')
  if (!response.ok || next === null) throw new Error(`${path} has no next page: ${response.status} ${text.slice(0, 300)}`)
  return next
}

/** The cursors of the pages behind position 50,000, as a client comes by them: page by page. */
export async function farCursors (url) {
  let cursor = ''
  for (let position = 0; position < FAR.position; position += STEP) {
    cursor = await nextCursor(url, { limit: STEP }, cursor)
  }
  const cursors = []
  for (let page = 0; page < FAR.pages; page++) {
    cursors.push(cursor)
    cursor = await nextCursor(url, { limit: FAR.limit }, cursor)
  }
  return cursors
}
