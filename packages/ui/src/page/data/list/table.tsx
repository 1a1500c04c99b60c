/** Rows as a grid: moved through by the arrow keys, edited in place, selected one by one or in ranges. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Data } from '../data-part.js'
import { kindOf } from '../models/kinds.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Property, type Row } from '../models/properties.js'
import { inlineProperties, isOneLine } from './cell-editor.js'
import type { Layout } from './layout.js'
import { rowAddress, type ListState } from './list-state.js'
import type { Page, RowList } from './row-list.js'
import { allSelected, selected, type Selection } from './selection.js'
import { Headings } from './table-head.js'
import { TableLine, type Acts, type At } from './table-line.js'

export interface TableProps {
  readonly model: DataModel
  readonly data: Data
  readonly list: RowList
  readonly page: Page
  readonly state: ListState
  readonly columns: readonly Property[]
  readonly layout: Layout
  readonly selection: Selection
  /** The id of the row that is open next to the list. */
  readonly open: string | undefined
  readonly onSort: (order: string) => void
  readonly onWidth: (name: string, width: number) => void
  readonly onMove: (name: string, to: number) => void
  readonly onSelect: (selection: Selection) => void
}

export function RowTable (props: TableProps) {
  const { model, data, list, page, state, columns, layout, selection, onSelect } = props
  const [at, setAt] = useState<At>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<At | undefined>(undefined)
  const grid = useRef<HTMLTableElement>(null)
  const hasFocus = useRef(false)
  const { rows } = page
  const ids = rows.map((row, index) => list.idOf(row) ?? `row ${index}`)
  const hasIds = model.facts.id !== undefined
  const mayUpdate = data.api.may(model.update)
  const inline = useMemo(() => inlineProperties(model, data), [model, mayUpdate])
  const kinds = useMemo(() => new Map(columns.map(column => [column.name, kindOf(model, column, data.description)])),
    [model, columns])
  const isNumber = ({ name }: Property): boolean => kinds.get(name) === 'number' && name !== model.facts.id
  useEffect(() => {
    // A list that became shorter, or whose cell was edited, keeps the focus where it can be.
    // The flag stays until the focus is there: this may be about a drawing before the one that it was set for.
    if (!hasFocus.current || editing !== undefined) return
    grid.current?.querySelector<HTMLElement>('[data-cell][tabindex="0"]')?.focus()
    hasFocus.current = false
  }, [at, editing])
  const current: At = { row: Math.min(at.row, rows.length - 1), column: Math.min(at.column, columns.length - 1) }
  const go = (row: number, column: number): void => {
    hasFocus.current = true
    const within = (position: number, count: number): number => Math.max(0, Math.min(count - 1, position))
    setAt({ row: within(row, rows.length), column: within(column, columns.length) })
  }
  const addressAt = (row: number): string | undefined => {
    const id = hasIds ? valueOf(rows[row] as Row, model.facts.id as string) : undefined
    return id === undefined || id === null || model.findById === undefined
      ? undefined
      : rowAddress(model.name, [{ model: model.name, id }], state)
  }
  const open = (row: number): void => {
    const address = addressAt(row)
    if (address !== undefined) data.router.go(address)
  }
  const canEdit = ({ row, column }: At): boolean => {
    const property = inline.get(columns[column]?.name ?? '')
    return property !== undefined && data.api.may(model.update, ids[row]) &&
      isOneLine(valueOf(rows[row] as Row, property.name))
  }
  const edit = (where: At): void => {
    if (canEdit(where)) setEditing(where)
    else open(where.row)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.cell === undefined) return
    const { row, column } = current
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => { go(row + 1, column) }, ArrowUp: () => { go(row - 1, column) },
      ArrowLeft: () => { go(row, column - 1) }, ArrowRight: () => { go(row, column + 1) },
      Home: () => { go(event.ctrlKey ? 0 : row, 0) },
      End: () => { go(event.ctrlKey ? rows.length - 1 : row, columns.length - 1) },
      Enter: () => { if (column === 0) open(row); else edit(current) },
      F2: () => { if (canEdit(current)) setEditing(current) },
      ' ': () => { if (hasIds) onSelect(selected(selection, ids, row, event.shiftKey)) }
    }
    const act = moves[event.key]
    if (act === undefined || event.altKey || event.metaKey) return
    event.preventDefault()
    act()
  }
  const latest = useRef<Acts>(undefined as unknown as Acts)
  latest.current = {
    model, data,
    focus: setAt, edit,
    select: (row, isRange) => { onSelect(selected(selection, ids, row, isRange)) },
    property: name => inline.get(name),
    end: (where, isFocused) => {
      hasFocus.current = isFocused
      if (isFocused) setAt(where)
      // Somebody may edit another cell by then, while this one was being saved.
      setEditing(now => now?.row === where.row && now.column === where.column ? undefined : now)
    }
  }
  return (
    <table
      class={`grid ${layout.dense ? 'dense' : ''}`} role="grid" aria-label={`Rows of ${model.name}`} ref={grid} aria-multiselectable={hasIds}
      aria-describedby="grid-keys" onKeyDown={onKeyDown}
    >
      <thead>
        <tr>
          {hasIds && (
            <th class="select" scope="col">
              <input
                type="checkbox" aria-label="Select all rows of the page" checked={ids.length > 0 && ids.every(id => selection.ids.has(id))}
                onChange={() => { onSelect(allSelected(selection, ids)) }}
              />
            </th>
          )}
          <Headings
            columns={columns} order={state.order} isNumber={isNumber} onSort={props.onSort} onWidth={props.onWidth}
            onMove={props.onMove}
          />
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const id = ids[index] as string
          return (
            <TableLine
              key={id} row={row} index={index} id={id} labels={page.labels} columns={columns}
              mark={list.marks.value.get(id)} isOpen={props.open === id}
              isSelected={hasIds ? selection.ids.has(id) : undefined}
              current={current.row === index ? current.column : undefined} widths={layout.widths}
              edited={editing?.row === index ? editing.column : undefined}
              state={state} kinds={kinds} acts={latest} address={addressAt(index)}
            />
          )
        })}
      </tbody>
    </table>
  )
}
