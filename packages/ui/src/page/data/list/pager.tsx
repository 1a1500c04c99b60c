/** Which rows of all the page has, and the way to the others. */
import { Button } from '../../components/button.js'
import { rowsRange } from '../../components/rows-range.js'
import { pageSize, type ListState } from './list-state.js'

export function Pager ({ state, shown, total, go }: {
  readonly state: ListState
  readonly shown: number
  /** Undefined where the caller may not count. */
  readonly total: number | undefined
  readonly go: (state: ListState) => void
}) {
  const { skip } = state
  const hasMore = total === undefined ? shown === pageSize : skip + shown < total
  return (
    <div class="pager">
      <span>{rowsRange(skip, shown, total)}</span>
      <div class="buttons">
        <Button
          kind="quiet" icon="chevron-left" disabled={skip === 0}
          onClick={() => { go({ ...state, skip: Math.max(0, skip - pageSize) }) }}
        >
          Previous
        </Button>
        <Button
          kind="quiet" icon="chevron-right" disabled={!hasMore}
          onClick={() => { go({ ...state, skip: skip + pageSize }) }}
        >
          Next
        </Button>
      </div>
    </div>
  )
}
