/** One row: its form, what is related to it, what happened to it, and the button that deletes it. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { SidePane } from '../../components/side-pane.js'
import { Skeleton } from '../../components/skeleton.js'
import { useData } from '../data-part.js'
import { rowAddress, type ListState, type RowRef } from '../list/list-state.js'
import { isWithin } from '../list/row-list.js'
import { watch } from '../live.js'
import type { DataModel } from '../models/models.js'
import type { Row } from '../models/properties.js'
import { Refusal } from '../refusal.js'
import { Facts } from './facts.js'
import { History } from './history.js'
import { Links } from './links.js'
import { Related } from './related.js'
import { removeRow } from './remove-rows.js'
import { Roles } from './roles.js'
import { RowForm } from './row-form.js'
import { saveRow } from './save-row.js'

interface Shown {
  readonly row: Row
  /** The name of its state, where the API has one. */
  readonly tag: string | null
}

export interface RowPaneProps {
  readonly list: string
  readonly state: ListState
  /** The row, after those that led to it. */
  readonly rows: readonly RowRef[]
  readonly onClose: () => void
}

export function RowPane ({ list, state, rows, onClose }: RowPaneProps) {
  const { models, router } = useData()
  const { model: name, id } = rows.at(-1) as RowRef
  const model = models.get(name)
  const before = rows.slice(0, -1)
  const back = before.length === 0 ? onClose : () => { router.go(rowAddress(list, before, state)) }
  if (model === undefined) {
    return <SidePane title={name} onClose={onClose}><Notice kind="bad">There is no model {name} here.</Notice></SidePane>
  }
  return (
    <OpenRow
      key={`${name} ${id}`} model={model} id={id} onClose={onClose} onRemoved={back} before={before} list={list} state={state}
      addressOf={(to, key) => rowAddress(list, [...rows, { model: to, id: key }], state)}
    />
  )
}

interface OpenRowProps extends Pick<RowPaneProps, 'list' | 'state' | 'onClose'> {
  readonly model: DataModel
  readonly id: string
  readonly before: readonly RowRef[]
  readonly onRemoved: () => void
  readonly addressOf: (model: string, id: unknown) => string
}

function OpenRow ({ model, id, before, list, state, onClose, onRemoved, addressOf }: OpenRowProps) {
  const data = useData()
  const { api, part } = data
  const [shown, setShown] = useState<Shown | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  const [news, setNews] = useState<'changed' | 'deleted' | undefined>(undefined)
  const read = async (): Promise<void> => {
    if (model.findById === undefined) throw new Error(`${model.name} has no rows to open.`)
    const { value, headers } = await api.call(model.findById, { id })
    setShown({ row: (value ?? {}) as Row, tag: headers.get('etag') })
    setNews(undefined)
    setError(undefined)
  }
  const token = api.token.value
  useEffect(() => { read().catch(setError) }, [token])
  useFollowed(model, id, shown?.row, setNews)
  const label = shown === undefined ? `${model.name} ${id}` : model.labelOf(shown.row)
  return (
    <SidePane title={label} onClose={onClose}>
      <nav class="way" aria-label="The way to this row">
        {before.map((row, index) => (
          <span key={index}>
            <a href={rowAddress(list, before.slice(0, index + 1), state)}>{`${row.model} ${row.id}`}</a>{' › '}
          </span>
        ))}
        <span class="quiet-text">{model.name}{shown === undefined ? '' : ` ${id}`}</span>
      </nav>
      {news !== undefined && (
        <Notice kind="warning">
          {news === 'deleted' ? 'This row was deleted meanwhile.' : 'This row was changed meanwhile.'}
          {news === 'changed' && (
            <Button kind="quiet" icon="refresh-cw" onClick={() => { read().catch(setError) }}>Read again</Button>
          )}
        </Notice>
      )}
      {error !== undefined && <Refusal error={error} hasLogin={false}/>}
      {shown === undefined && error === undefined && <Skeleton/>}
      {shown !== undefined && error === undefined && (
        <>
          <RowBody
            model={model} id={id} shown={shown} onRemoved={onRemoved}
            save={async values => {
              await saveRow({ model, id, values, tag: shown.tag }, data)
              await read()
              data.toasts.tell('Saved.')
            }}
          />
          <Related model={model} row={shown.row} addressOf={addressOf}/>
          <Links model={model} row={shown.row} id={id} addressOf={addressOf}/>
          <Roles model={model} row={shown.row}/>
          <History
            model={model} id={id} tag={shown.tag}
            onReverted={async () => {
              await read()
              part.tell({ type: 'update', model: model.name, id })
            }}
          />
        </>
      )}
    </SidePane>
  )
}

/** Follows what others do to the row, as far as it differs from what is shown. */
function useFollowed (model: DataModel, id: string, row: Row | undefined, tell: (news: 'changed' | 'deleted' | undefined) => void): void {
  const { api, part } = useData()
  useEffect(() => {
    if (row === undefined) return
    const ended = new AbortController()
    let isRemoved = false
    const stop = part.onOwnChange(change => { if (change.type === 'remove' && change.model === model.name && String(change.id) === id) isRemoved = true })
    watch(model, api, undefined, {
      changed: ({ target, type, data }) => {
        if (String(target) !== id || isRemoved || (data !== undefined && isWithin(data, row))) return
        // What this page saves itself comes as a change, and before the row is read again.
        window.setTimeout(() => { if (!ended.signal.aborted) tell(type === 'remove' ? 'deleted' : 'changed') }, 300)
      },
      missed: () => {},
      state: () => {}
    }, ended.signal)
    return () => {
      stop()
      ended.abort()
    }
  }, [model, id, row])
}

function RowBody ({ model, id, shown: { row, tag }, save, onRemoved }: {
  readonly model: DataModel
  readonly id: string
  readonly shown: Shown
  readonly save: (values: unknown) => Promise<void>
  readonly onRemoved: () => void
}) {
  const data = useData()
  const { api, toasts } = data
  const { update, remove } = model
  const remover = api.may(remove, id) && (
    <Button
      kind="danger" icon="trash-2"
      onClick={() => {
        removeRow(model, row, id, tag, data).then(isGone => { if (isGone) onRemoved() })
          .catch((error: unknown) => { toasts.fail(error) })
      }}
    >
      Delete
    </Button>
  )
  // A form whose saving was refused stays, with what was typed and why.
  const mayUpdate = useMemo(() => api.may(update, id), [row])
  if (!mayUpdate || update === undefined) {
    return (
      <>
        <p class="hint">You may not change this row of {model.name}.</p>
        <Facts model={model} row={row}/>
        <div class="buttons row-actions">{remover}</div>
      </>
    )
  }
  return <RowForm model={model} action={update} row={row} rowId={id} send="Save" save={save}>{remover}</RowForm>
}
