/** The list of a model: a page of its rows, as its address says. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Button } from '../../components/button.js'
import { Empty } from '../../components/empty.js'
import { Icon } from '../../components/icon.js'
import { Skeleton } from '../../components/skeleton.js'
import { useData } from '../data-part.js'
import type { DataModel } from '../models/models.js'
import { Refusal } from '../refusal.js'
import { TransferMenu } from '../transfer/transfer-menu.js'
import { BulkBar } from './bulk-bar.js'
import { moved, shownColumns } from './layout.js'
import { deletedAddress, isFiltered, listAddress, listQuery, newAddress, plainList, type ListState } from './list-state.js'
import { Pager } from './pager.js'
import { RowList, type Page } from './row-list.js'
import { noSelection } from './selection.js'
import { RowTable } from './table.js'
import { Toolbar } from './toolbar.js'
import { useLayout } from './use-layout.js'

export function ListView ({ model, state, open, goOpen }: {
  readonly model: DataModel
  readonly state: ListState
  /** The id of the row that is open next to the list. */
  readonly open: string | undefined
  /** Shows the list in another state, with what is open next to it. */
  readonly goOpen: (state: ListState) => void
}) {
  const data = useData()
  const { router, api } = data
  const list = useRows(model, state)
  const go = (to: ListState): void => { router.go(listAddress(model.name, to)) }
  const layout = useLayout(model, columns => { if (state.columns.length > 0) goOpen({ ...state, columns }) })
  const columns = useMemo(() => shownColumns(model, state.columns, layout.layout.columns),
    [model, state.columns, layout.layout.columns])
  const [selection, setSelection] = useState(noSelection)
  useEffect(() => { setSelection(noSelection) }, [list])
  const page = list.page.value
  const error = list.error.value
  const names = columns.map(({ name }) => name)
  return (
    <section class="list" aria-label={`Rows of ${model.name}`}>
      <header class="view-head">
        <h2>{model.name}</h2>
        <LiveState text={list.live.value}/>
        <span role="status"><NewRows list={list}/></span>
        {api.may(model.restore) && api.may(model.find) && (
          <a class="button quiet" href={deletedAddress(model.name)}><Icon name="trash-2"/>Deleted rows</a>
        )}
        <TransferMenu model={model} state={state}/>
        {api.may(model.create) && (
          <a class="button primary" href={newAddress(model.name, state)}><Icon name="plus"/><span>New</span></a>
        )}
      </header>
      <Toolbar model={model} state={state} columns={columns} layout={layout} go={go}/>
      <p class="sr-only" id="grid-keys">Arrow keys move, Enter opens or edits, Space selects a row.</p>
      {error !== undefined && <Refusal error={error}/>}
      {page === undefined && error === undefined && <Skeleton lines={10}/>}
      {page !== undefined && (
        <>
          {selection.ids.size > 0 && (
            <BulkBar
              model={model} rows={page.rows.filter(row => selection.ids.has(list.idOf(row) ?? ''))}
              onEnd={() => { setSelection(noSelection) }}
            />
          )}
          {page.rows.length === 0
            ? <NoRows model={model} state={state}/>
            : (
              <div class={`table-scroll ${list.isReading.value ? 'reading' : ''}`} aria-busy={list.isReading.value}>
                <RowTable
                  model={model} data={data} list={list} page={page} state={state} columns={columns}
                  layout={layout.layout} selection={selection} open={open}
                  onSort={order => { go({ ...state, order, skip: 0 }) }} onSelect={setSelection}
                  onWidth={(name, width) => { layout.set({ widths: { ...layout.layout.widths, [name]: width } }) }}
                  onMove={(name, to) => { layout.setColumns(moved(names, name, to)) }}
                />
              </div>
              )}
          <Pager state={state} shown={page.rows.length} total={page.total} go={go}/>
        </>
      )}
    </section>
  )
}

/** The rows of the state, which are read again for another one, and when somebody logs in or out. */
function useRows (model: DataModel, state: ListState): RowList {
  const data = useData()
  const before = useRef<{ readonly model: DataModel, readonly page: Page | undefined } | undefined>(undefined)
  const token = data.api.token.value
  const key = JSON.stringify({ ...listQuery(state), columns: undefined })
  const list = useMemo(() =>
    new RowList(model, state, data, before.current?.model === model ? before.current.page : undefined),
  [model, key, token])
  useEffect(() => list.start(), [list])
  before.current = { model, page: list.page.value }
  return list
}

const LiveState = ({ text }: { readonly text: string }) =>
  text === '' ? null : <span class={`live ${text === 'Live' ? 'on' : ''}`}>{text}</span>

function NewRows ({ list }: { readonly list: RowList }) {
  const count = list.arrived.value.size
  if (count === 0) return null
  return (
    <Button icon="refresh-cw" onClick={() => { list.read().catch(() => {}) }}>
      {count === 1 ? '1 new row: show' : `${count} new rows: show`}
    </Button>
  )
}

/** Why there is nothing, and what to do next. */
function NoRows ({ model, state }: { readonly model: DataModel, readonly state: ListState }) {
  const { api } = useData()
  if (isFiltered(state) || state.skip > 0) {
    return (
      <Empty icon="search" title="No row fits.">
        <p>Take a filter away to see more.</p>
        <a class="button" href={listAddress(model.name, { ...plainList, columns: state.columns })}>Show all rows</a>
      </Empty>
    )
  }
  return (
    <Empty icon="table" title="There are no rows.">
      {api.may(model.create) && (
        <>
          <p>Make the first one, or import some from a file.</p>
          <a class="button primary" href={newAddress(model.name, state)}>
            <Icon name="plus"/>
            <span>{`New ${model.name}`}</span>
          </a>
        </>
      )}
    </Empty>
  )
}
