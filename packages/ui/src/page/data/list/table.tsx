/** Rows as a grid: moved through by the arrow keys, edited in place, selected one by one or in ranges. */
import { useMemo, useRef } from 'preact/hooks'
import type { Data } from '../data-part.js'
import { kindOf } from '../models/kinds.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Property, type Row } from '../models/properties.js'
import { inlineProperties, isOneLine } from './cell-editor.js'
import { moveOf, type At } from './grid-moves.js'
import type { Layout } from './layout.js'
import { rowAddress, type ListState } from './list-state.js'
import type { Page, RowList } from './row-list.js'
import { allSelected, selected, type Selection } from './selection.js'
import { Headings } from './table-head.js'
import { TableLine, type Acts } from './table-line.js'
import { useGrid } from './use-grid.js'

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
  const { rows } = page
  const ids = rows.map((row, index) => list.idOf(row) ?? `row ${index}`)
  const hasIds = model.facts.id !== undefined
  const size = { rows: rows.length, columns: columns.length }
  const grid = useGrid(size)
  const { current, edited } = grid
  const mayUpdate = data.api.may(model.update)
  const inline = useMemo(() => inlineProperties(model, data), [model, mayUpdate])
  const kinds = useMemo(() => new Map(columns.map(column => [column.name, kindOf(model, column, data.description)])),
    [model, columns])
  const isNumber = ({ name }: Property): boolean => kinds.get(name) === 'number' && name !== model.facts.id
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
  const edit = (at: At): void => {
    if (canEdit(at)) grid.edit(at)
    else open(at.row)
  }
  const select = (row: number, isRange: boolean): void => { onSelect(selected(selection, ids, row, isRange)) }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.cell === undefined) return
    if (event.altKey || event.metaKey) return
    const { row, column } = current
    switch (event.key) {
      case 'Enter':
        if (column === 0) open(row)
        else edit(current)
        break
      case 'F2':
        if (canEdit(current)) grid.edit(current)
        break
      case ' ':
        if (hasIds) select(row, event.shiftKey)
        break
      default: {
        const to = moveOf(event, current, size)
        if (to === undefined) return
        grid.go(to)
      }
    }
    event.preventDefault()
  }
  const latest = useRef<Acts>(undefined as unknown as Acts)
  latest.current = {
    model, data, edit, select, focus: grid.focus, end: grid.end, property: name => inline.get(name)
  }
  return (
    <table
      class={`grid ${layout.dense ? 'dense' : ''}`} ref={grid.table}
      role="grid" aria-label={`Rows of ${model.name}`} aria-multiselectable={hasIds}
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
              edited={edited?.row === index ? edited.column : undefined}
              state={state} kinds={kinds} acts={latest} address={addressAt(index)}
            />
          )
        })}
      </tbody>
    </table>
  )
}
