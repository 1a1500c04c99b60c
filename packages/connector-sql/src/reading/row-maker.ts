/**
 * Row objects from raw values. The function is generated per selection: an object literal costs a fifth of a loop over
 * names. What goes into the generated text are the positions of columns and the names of the definition, written as
 * JSON; nothing comes from a request.
 */
import type { Row } from '@fastback/core'
import { passes, setOwn, type ExtraFilter } from '../tables/extra.js'
import type { Column } from '../tables/column.js'

export type RowMaker = (raw: readonly unknown[]) => Row

/**
 * @param filter for tables with an extra column, which is then the last raw value
 * @param decodeExtra its members
 */
export function makeRows (
  columns: readonly Column[],
  filter: ExtraFilter | undefined,
  decodeExtra: (raw: unknown) => Row
): RowMaker {
  const decoders = columns.map(({ format }) => format.decode)
  const build = filter === undefined ? literal(columns) : assignments(columns)
  // eslint-disable-next-line no-new-func
  const factory = new Function('decoders', 'setOwn', 'addExtra', `return raw => { let v; ${build} }`) as (
    decoders: unknown,
    set: typeof setOwn,
    add: (row: Row, raw: unknown) => void
  ) => RowMaker
  return factory(decoders, setOwn, filter === undefined ? () => {} : extraAdder(filter, decodeExtra))
}

/** Without an extra column a NULL is a null. */
function literal (columns: readonly Column[]): string {
  const members = columns.map((column, i) => {
    const name = JSON.stringify(column.property.name)
    return `${name === '"__proto__"' ? `[${name}]` : name}: (v = raw[${i}]) === null ? null : ${decoded(column, i)}`
  })
  return `return { ${members.join(', ')} }`
}

/** With one, a NULL is a property that the row lacks, unless the extra column has it. */
function assignments (columns: readonly Column[]): string {
  const lines = columns.map((column, i) => {
    const name = JSON.stringify(column.property.name)
    const assign =
      column.property.name === '__proto__'
        ? `setOwn(row, ${name}, ${decoded(column, i)})`
        : `row[${name}] = ${decoded(column, i)}`
    return `if ((v = raw[${i}]) !== null) ${assign};`
  })
  return `const row = {}; ${lines.join(' ')} if ((v = raw[${columns.length}]) !== null) addExtra(row, v); return row`
}

function decoded ({ format }: Column, i: number): string {
  return format.verbatim === undefined
    ? `decoders[${i}](v)`
    : `typeof v === '${format.verbatim}' ? v : decoders[${i}](v)`
}

function extraAdder (filter: ExtraFilter, decodeExtra: (raw: unknown) => Row): (row: Row, raw: unknown) => void {
  const passing = passes(filter)
  return (row, raw) => {
    const extra = decodeExtra(raw)
    for (const name of Object.keys(extra)) if (passing(name)) setOwn(row, name, extra[name])
  }
}
