/**
 * How dates come out of columns and go into them: as they are where columns have texts, converted where they have
 * milliseconds.
 * @param {boolean} areIntegers
 */
export function dates (areIntegers) {
  if (!areIntegers) return { shown: row => row, allShown: rows => rows, stored: body => body }
  return {
    shown,
    allShown (rows) {
      for (const row of rows) shown(row)
      return rows
    },
    stored: body => body.releasedAt === undefined ? body : { ...body, releasedAt: Date.parse(body.releasedAt) }
  }
}

function shown (row) {
  if (row?.releasedAt !== undefined) row.releasedAt = new Date(row.releasedAt).toISOString()
  else if (row?.createdAt !== undefined) row.createdAt = new Date(row.createdAt).toISOString()
  return row
}
