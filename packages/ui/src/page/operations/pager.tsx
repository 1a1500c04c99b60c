/** The page of a list that a filter asked for, and the way to the others. */
import { Button } from '../components/button.js'
import { rowsRange } from '../components/rows-range.js'
import type { OperationState } from './state.js'

interface Filter { readonly skip?: number, readonly offset?: number, readonly limit?: number }

interface ListPage {
  readonly filter: Filter
  readonly skip: number
  readonly step: number
  readonly shown: number
  /** Undefined where the server did not count. */
  readonly total: number | undefined
  readonly hasMore: boolean
}

const key = 'query filter'

/** Undefined for operations without a filter, and for a list that has but one page. */
export function pageOf (
  { action, fields }: OperationState, headers: ReadonlyArray<readonly [string, string]>, rows: readonly unknown[]
): ListPage | undefined {
  if (action.parameters?.some(parameter => parameter.in === 'query' && parameter.name === 'filter') !== true) return undefined
  const filter = filterIn(fields.value[key] ?? '')
  if (filter === undefined) return undefined
  const counted = headers.find(([name]) => name === 'x-total-count')?.[1]
  const total = counted === undefined ? undefined : Number(counted)
  const { skip = filter.offset ?? 0, limit = 0 } = filter
  const shown = rows.length
  const hasMore = total === undefined ? limit > 0 && shown === limit : skip + shown < total
  if (skip === 0 && !hasMore && total === undefined) return undefined
  return { filter, skip, step: limit > 0 ? limit : shown, shown, total, hasMore }
}

function filterIn (text: string): Filter | undefined {
  try {
    const filter: unknown = JSON.parse(text === '' ? '{}' : text)
    return filter !== null && typeof filter === 'object' && !Array.isArray(filter) ? filter : undefined
  } catch {
    return undefined
  }
}

export function Pager ({ page: { filter, skip, step, shown, total, hasMore }, state, onPage }: {
  readonly page: ListPage, readonly state: OperationState, readonly onPage: () => void
}) {
  const go = (to: number): void => {
    state.setField(key, JSON.stringify({ ...filter, limit: step, skip: to }))
    onPage()
  }
  return (
    <div class="buttons response-pager">
      <span>{rowsRange(skip, shown, total)}</span>
      <Button icon="chevron-left" disabled={skip === 0} onClick={() => { go(Math.max(0, skip - step)) }}>Previous</Button>
      <Button icon="chevron-right" disabled={!hasMore} onClick={() => { go(skip + step) }}>Next</Button>
    </div>
  )
}
