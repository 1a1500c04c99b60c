/** The headings of a table: they sort it, are moved by dragging and made wider at their edges. */
import { Icon } from '../../components/icon.js'
import { isSortable } from '../models/kinds.js'
import type { Property } from '../models/properties.js'
import { inBounds } from './layout.js'

/** Pixels of a step by the keyboard. */
const step = 24

export interface HeadProps {
  readonly columns: readonly Property[]
  readonly order: string
  readonly isNumber: (property: Property) => boolean
  /** Called with the order that a heading stands for. */
  readonly onSort: (order: string) => void
  readonly onWidth: (name: string, width: number) => void
  /** Called with a column and the position that it goes to. */
  readonly onMove: (name: string, to: number) => void
}

export function Headings (props: HeadProps) {
  return (
    <>
      {props.columns.map((column, index) => <Heading key={column.name} column={column} index={index} props={props}/>)}
    </>
  )
}

function Heading ({ column: { name, schema, ...rest }, index, props }: {
  readonly column: Property, readonly index: number, readonly props: HeadProps
}) {
  const { order, isNumber, onSort, onWidth, onMove } = props
  const column = { name, schema, ...rest }
  const direction = order === `${name} ASC` ? 'ascending' : order === `${name} DESC` ? 'descending' : undefined
  const canSort = isSortable(column)
  return (
    <th
      scope="col" class={`${index === 0 ? 'first' : ''} ${isNumber(column) ? 'number' : ''}`} aria-sort={direction} title={name}
      onDragOver={event => { event.preventDefault() }}
      onDrop={event => {
        event.preventDefault()
        const dragged = event.dataTransfer?.getData('text/x-column') ?? ''
        if (props.columns.some(each => each.name === dragged)) onMove(dragged, index)
      }}
      onKeyDown={event => {
        const by = event.shiftKey ? { ArrowLeft: -step, ArrowRight: step }[event.key] : undefined
        if (by === undefined) return
        event.preventDefault()
        onWidth(name, inBounds(event.currentTarget.offsetWidth + by))
      }}
    >
      <div class="heading">
        {canSort
          ? (
            <button
              type="button" class="sort" draggable onDragStart={event => { event.dataTransfer?.setData('text/x-column', name) }}
              onClick={() => { onSort(`${name} ${direction === 'ascending' ? 'DESC' : 'ASC'}`) }}
            >
              <span>{name}</span>
              {direction !== undefined && <Icon name={direction === 'ascending' ? 'arrow-up' : 'arrow-down'}/>}
            </button>
            )
          : (
            <span class="sort" draggable onDragStart={event => { event.dataTransfer?.setData('text/x-column', name) }}>
              <span>{name}</span>
            </span>
            )}
        <span
          class="resizer" aria-hidden="true" title="Drag to resize; Shift with ← or → on the heading"
          onPointerDown={event => { resize(event, name, onWidth) }}
        />
      </div>
    </th>
  )
}

/** Follows the pointer from the edge of a heading. */
function resize (event: PointerEvent, name: string, onWidth: HeadProps['onWidth']): void {
  const handle = event.currentTarget as HTMLElement
  const heading = handle.closest('th')
  if (heading === null) return
  event.preventDefault()
  handle.setPointerCapture(event.pointerId)
  const begun = heading.offsetWidth - event.clientX
  const move = ({ clientX }: PointerEvent): void => { onWidth(name, inBounds(begun + clientX)) }
  handle.addEventListener('pointermove', move)
  handle.addEventListener('pointerup', () => { handle.removeEventListener('pointermove', move) }, { once: true })
}
