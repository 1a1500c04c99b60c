// What a request says, checked.

export function httpError (status, message) {
  return Object.assign(new Error(message), { statusCode: status })
}

export function parse (text) {
  if (text === undefined) return {}
  try {
    return JSON.parse(text)
  } catch {
    throw httpError(400, 'not JSON')
  }
}

export function number (value, fallback) {
  if (value === undefined && fallback !== undefined) return fallback
  if (typeof value !== 'number') throw httpError(400, 'a number is wanted')
  return value
}

/** The filters that lists know: a category above a price, the dearest first; or a page, with relations or without. */
export function filterOf (text) {
  const { where, order, include, limit, skip } = parse(text)
  if (!where) return { include, limit: number(limit, 100), skip: number(skip, 0) }
  if (order !== 'price DESC') throw httpError(400, 'no such order')
  return { where: { categoryId: number(where.categoryId), above: number(where.price?.gt) }, limit: number(limit, 100) }
}

export function groupBy (rows, key) {
  const groups = new Map()
  for (const row of rows) {
    const group = groups.get(row[key])
    if (group) group.push(row)
    else groups.set(row[key], [row])
  }
  return groups
}
