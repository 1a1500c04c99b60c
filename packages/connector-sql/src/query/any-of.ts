/** Lists of values that are no list of stored ones: a range for each, or whatever finds the rows that show it. */
import type { Comparison } from '@fastback/core'
import type { Equality } from '../dialects/column-types.js'
import type { Column } from '../tables/column.js'
import type { Expression } from './expression.js'
import { inexactExpression } from './inexact-expression.js'
import { joined } from './statement-builder.js'

type In = Comparison & { readonly kind: 'in' }

/** Values of one statement. JavaScript looks for those of a longer list. */
const mostValues = 1024

/** Whether JavaScript looks for the values of a list. */
export const isLong = ({ values }: In, { format: { equality } }: Column): boolean =>
  equality !== undefined && equality.among === undefined && values.length > mostValues

/** As many as a power of two, the last of them again and again: lists of few lengths share a statement. */
export function planAnyOf (comparison: In, column: Column, equality: Equality, values: unknown[]): Expression {
  if (isLong(comparison, column)) return inexactExpression(comparison)
  const { format } = column
  const wanted = comparison.values.filter(value => value !== null && format.accepts(value) && format.canStore(value))
  const withNull = comparison.values.includes(null)
  const size = wanted.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(wanted.length))
  for (let i = 0; i < size; i++) values.push(...equality.values(wanted[Math.min(i, wanted.length - 1)]))
  return {
    code: `a${comparison.op}${withNull ? '0' : ''}${size}`,
    sql: (stored, _table, placeholders) => {
      const { quoted } = stored as Column
      const terms = Array.from({ length: size }, () => equality.sql(quoted, () => placeholders.next()))
      const others = [...(withNull ? [`${quoted} IS NULL`] : []), ...(size === 0 ? ['1 = 0'] : [])]
      const isAny = joined([...terms, ...others], ' OR ')
      return comparison.op === 'nin' ? `((${isAny}) IS NOT TRUE)` : `(${isAny})`
    }
  }
}
