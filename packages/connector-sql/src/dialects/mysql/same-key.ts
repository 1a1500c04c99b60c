/** Where MySQL compares the keys of two tables as JavaScript compares their values. */
import type { Column } from '../../tables/column.js'

/** Whole numbers beyond the safe ones are bigints in JavaScript, which equal no number. */
const safe = `BETWEEN ${String(Number.MIN_SAFE_INTEGER)} AND ${String(Number.MAX_SAFE_INTEGER)}`

/** Columns that compare as they are: numbers, and texts of one collation that tells all texts apart. */
export function sameKey ({ quoted, format }: Column, other: Column, value: string): string | undefined {
  const isPlain = [format, other.format].every(({ equality, comparable, boundByValues, sorted }) =>
    comparable && equality === undefined && boundByValues !== true && sorted('column') === 'column')
  if (!isPlain || format.unsigned !== other.format.unsigned) return undefined
  switch (`${format.name} ${other.format.name}`) {
    case 'integer integer': case 'real real': case 'text text': return `${quoted} = ${value}`
    case 'integer real':
      return `${quoted} = CASE WHEN ${value} ${safe} AND ${value} = FLOOR(${value}) THEN CAST(${value} AS SIGNED) END`
    case 'real integer': return `${quoted} = CASE WHEN ${value} ${safe} THEN ${value} END`
    default: return undefined
  }
}
