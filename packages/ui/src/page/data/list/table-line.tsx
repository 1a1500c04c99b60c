/** A row of a table: its cells, one of which may be edited. */
import { useMemo } from 'preact/hooks'
import type { Data } from '../data-part.js'
import type { Kind } from '../models/kinds.js'
import type { Labels } from '../models/labels.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Property, type Row } from '../models/properties.js'
import { Cell, titleText } from './cell.js'
import { CellEditor } from './cell-editor.js'
import type { At } from './grid-moves.js'
import type { Layout } from './layout.js'
import type { ListState } from './list-state.js'
import type { Mark } from './row-list.js'

/** What happens in a line, as it is by now: lines are not drawn again for it. */
export interface Acts {
  readonly model: DataModel
  readonly data: Data
  readonly focus: (at: At) => void
  readonly edit: (at: At) => void
  readonly select: (row: number, isRange: boolean) => void
  readonly property: (name: string) => Property | undefined
  readonly end: (at: At, isFocused: boolean) => void
}

interface LineProps {
  readonly row: Row
  readonly index: number
  readonly id: string
  readonly labels: Labels
  readonly columns: readonly Property[]
  readonly kinds: ReadonlyMap<string, Kind>
  readonly widths: Layout['widths']
  readonly state: ListState
  readonly mark: Mark | undefined
  readonly isOpen: boolean
  /** Undefined where rows have no ids. */
  readonly isSelected: boolean | undefined
  /** The columns that have the focus, and that are edited. */
  readonly current: number | undefined
  readonly edited: number | undefined
  readonly address: string | undefined
  readonly acts: { readonly current: Acts }
}

/** A line is drawn again when something of it changes, and not with the others. */
export function TableLine (props: LineProps) {
  const { row, index, id, labels, columns, kinds, widths, state, mark, isOpen, isSelected, current, edited } = props
  const { address, acts } = props
  return useMemo(() => {
    const { model, data } = acts.current
    return (
      <tr class={`${mark ?? ''} ${isOpen ? 'open' : ''}`} aria-selected={isSelected}>
        {isSelected !== undefined && (
          <td class="select">
            <input
              type="checkbox" tabIndex={-1} aria-label={`Select ${model.labelOf(row)}`} checked={isSelected}
              onClick={event => { acts.current.select(index, event.shiftKey) }}
            />
          </td>
        )}
        {columns.map((property, column) => {
          const at = { row: index, column }
          const { name } = property
          const kind = kinds.get(name) ?? 'text'
          const cell = { model, data, state, labels, row, property, kind }
          const width = valueOf(widths, name)
          const style = width === undefined ? undefined : { width: `${width}px`, maxWidth: `${width}px` }
          const Tag = column === 0 ? 'th' : 'td'
          return (
            <Tag
              key={name} data-cell="" tabIndex={column === current && column !== edited ? 0 : -1} scope={column === 0 ? 'row' : undefined}
              class={[column === 0 ? 'first' : '', kind === 'number' && name !== model.facts.id ? 'number' : '', column === edited ? 'edited' : ''].join(' ')}
              onFocus={() => { acts.current.focus(at) }} onDblClick={() => { acts.current.edit(at) }}
            >
              {column === edited
                ? (
                  <CellEditor
                    model={model} row={row} property={acts.current.property(name) ?? property} data={data}
                    onEnd={isFocused => { acts.current.end(at, isFocused) }}
                  />
                  )
                : (
                  <div class="cell" style={style}>
                    {column !== 0 && <Cell {...cell}/>}
                    {column === 0 && (address === undefined
                      ? titleText(cell)
                      : <a href={address} tabIndex={-1}>{titleText(cell)}</a>)}
                    {column === 0 && mark !== undefined && <span class="chip said">{mark}</span>}
                  </div>
                  )}
            </Tag>
          )
        })}
      </tr>
    )
  }, [row, index, id, labels, columns, kinds, widths, state, mark, isOpen, isSelected, current, edited, address])
}
