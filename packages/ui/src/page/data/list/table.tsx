/** Rows as a grid: moved through by the arrow keys, edited in place, selected one by one or in ranges. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Data } from '../data-part.js'
import { kindOf } from '../models/kinds.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Property, type Row } from '../models/properties.js'
import { Cell, titleText } from './cell.js'
import { CellEditor, inlineProperties, isOneLine } from './cell-editor.js'
import type { Layout } from './layout.js'
import { rowAddress, type ListState } from './list-state.js'
import type { Page, RowList } from './row-list.js'
import { allSelected, selected, type Selection } from './selection.js'
import { Headings } from './table-head.js'

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

interface At { readonly row: number, readonly column: number }

export function RowTable (props: TableProps) {
  const { model, data, list, page, state, columns, layout, selection, onSelect } = props
  const [at, setAt] = useState<At>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<At | undefined>(undefined)
  const grid = useRef<HTMLTableElement>(null)
  const hasFocus = useRef(false)
  const { rows } = page
  const ids = rows.map((row, index) => list.idOf(row) ?? `row ${index}`)
  const hasIds = model.facts.id !== undefined
  const inline = inlineProperties(model, data)
  const kinds = columns.map(column => kindOf(model, column, data.description))
  const isNumber = (column: Property): boolean => kinds[columns.indexOf(columns.find(({ name }) => name === column.name) as Property)] === 'number' && column.name !== model.facts.id
  useEffect(() => {
    // A list that became shorter, or whose cell was edited, keeps the focus where it can be.
    if (hasFocus.current && editing === undefined) grid.current?.querySelector<HTMLElement>('[data-cell][tabindex="0"]')?.focus()
    hasFocus.current = false
  }, [at, editing])
  const current: At = { row: Math.min(at.row, rows.length - 1), column: Math.min(at.column, columns.length - 1) }
  const go = (row: number, column: number): void => {
    hasFocus.current = true
    setAt({ row: Math.max(0, Math.min(rows.length - 1, row)), column: Math.max(0, Math.min(columns.length - 1, column)) })
  }
  const addressAt = (row: number): string | undefined => {
    const id = hasIds ? valueOf(rows[row] as Row, model.facts.id as string) : undefined
    return id === undefined || id === null || model.findById === undefined ? undefined : rowAddress(model.name, [{ model: model.name, id }], state)
  }
  const open = (row: number): void => {
    const address = addressAt(row)
    if (address !== undefined) data.router.go(address)
  }
  const canEdit = ({ row, column }: At): boolean => {
    const property = inline.get(columns[column]?.name ?? '')
    return property !== undefined && data.api.may(model.update, ids[row]) && isOneLine(valueOf(rows[row] as Row, property.name))
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
      Home: () => { go(event.ctrlKey ? 0 : row, 0) }, End: () => { go(event.ctrlKey ? rows.length - 1 : row, columns.length - 1) },
      Enter: () => { if (column === 0) open(row); else edit(current) }, F2: () => { if (canEdit(current)) setEditing(current) },
      ' ': () => { if (hasIds) onSelect(selected(selection, ids, row, event.shiftKey)) }
    }
    const act = moves[event.key]
    if (act === undefined || event.altKey || event.metaKey) return
    event.preventDefault()
    act()
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
          <Headings columns={columns} order={state.order} isNumber={isNumber} onSort={props.onSort} onWidth={props.onWidth} onMove={props.onMove}/>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const id = ids[index] as string
          const mark = list.marks.value.get(id)
          const address = addressAt(index)
          return (
            <tr key={id} class={`${mark ?? ''} ${props.open === id ? 'open' : ''}`} aria-selected={hasIds ? selection.ids.has(id) : undefined}>
              {hasIds && (
                <td class="select">
                  <input
                    type="checkbox" tabIndex={-1} aria-label={`Select ${model.labelOf(row)}`} checked={selection.ids.has(id)}
                    onClick={event => { onSelect(selected(selection, ids, index, event.shiftKey)) }}
                  />
                </td>
              )}
              {columns.map((property, column) => {
                const where = { row: index, column }
                const isCurrent = current.row === index && current.column === column
                const isEdited = editing?.row === index && editing.column === column
                const cell = { model, data, state, labels: page.labels, row, property, kind: kinds[column] ?? 'text' }
                const width = layout.widths[property.name]
                const style = width === undefined ? undefined : { width: `${width}px`, maxWidth: `${width}px` }
                const Tag = column === 0 ? 'th' : 'td'
                return (
                  <Tag
                    key={property.name} data-cell="" tabIndex={isCurrent && !isEdited ? 0 : -1} scope={column === 0 ? 'row' : undefined}
                    class={`${column === 0 ? 'first' : ''} ${isNumber(property) ? 'number' : ''} ${isEdited ? 'edited' : ''}`}
                    onFocus={() => { if (!isCurrent) setAt(where) }} onDblClick={() => { edit(where) }}
                  >
                    {isEdited
                      ? (
                        <CellEditor
                          model={model} row={row} property={inline.get(property.name) ?? property} data={data}
                          onEnd={isFocused => {
                            hasFocus.current = isFocused
                            setAt(where)
                            setEditing(undefined)
                          }}
                        />
                        )
                      : (
                        <div class="cell" style={style}>
                          {column === 0
                            ? address === undefined ? titleText(cell) : <a href={address} tabIndex={-1}>{titleText(cell)}</a>
                            : <Cell {...cell}/>}
                          {column === 0 && mark !== undefined && <span class="chip said">{mark}</span>}
                        </div>
                        )}
                  </Tag>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
