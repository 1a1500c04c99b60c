/** The rows of a model that were deleted and can be restored, the last one first. */
import { useState } from 'preact/hooks'
import { Empty } from '../../components/empty.js'
import { Time } from '../../components/time.js'
import { useData } from '../data-part.js'
import { listAddress, plainList } from '../list/list-state.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Row } from '../models/properties.js'
import { Refusal } from '../refusal.js'
import { pieceSize, usePieces } from './pieces.js'

export function DeletedView ({ model }: { readonly model: DataModel }) {
  const { api } = useData()
  const { find, facts: { deletedAt, id } } = model
  const order = deletedAt === undefined ? `${id} DESC` : [`${deletedAt} DESC`, `${id} DESC`]
  const { items, isReading, error, remove, more } = usePieces<Row>(async skip => find === undefined || id === undefined
    ? []
    : (await api.call(find, {
        query: { filter: { deleted: 'only', order, limit: pieceSize, ...skip === 0 ? {} : { skip } } }
      })).value as Row[], `${model.name} ${api.token.value}`)
  return (
    <div class="data-page">
      <header class="view-head">
        <h2><a href={listAddress(model.name, plainList)}>{model.name}</a> › Deleted rows</h2>
      </header>
      <div class="view-body">
        {error !== undefined && <Refusal error={error}/>}
        {!isReading && items.length === 0 && error === undefined && (
          <Empty icon="trash-2" title="There are no deleted rows."/>
        )}
        <ul class="lines" aria-label={`Deleted rows of ${model.name}`}>
          {items.map(row => <DeletedRow key={String(valueOf(row, id ?? ''))} model={model} row={row} onRestored={() => { remove(row) }}/>)}
        </ul>
        {more}
      </div>
    </div>
  )
}

function DeletedRow ({ model, row, onRestored }: {
  readonly model: DataModel, readonly row: Row, readonly onRestored: () => void
}) {
  const { api, part, toasts } = useData()
  const [isBusy, setBusy] = useState(false)
  const { restore, facts: { deletedAt, id = '' } } = model
  const key = valueOf(row, id)
  const at = deletedAt === undefined ? undefined : valueOf(row, deletedAt)
  const label = model.labelOf(row)
  const run = (): void => {
    if (restore === undefined) return
    setBusy(true)
    api.call(restore, { id: key }).then(() => {
      onRestored()
      part.tell({ type: 'create', model: model.name, id: key })
      toasts.tell(`${label} was restored.`)
    }, (error: unknown) => {
      setBusy(false)
      toasts.fail(error)
    })
  }
  return (
    <li>
      <span>{label}</span>
      {typeof at === 'string' && <span class="kind"><Time value={at}/></span>}
      {api.may(restore, key) && (
        <button type="button" class="button" disabled={isBusy} aria-label={`Restore ${label}`} onClick={run}>
          Restore
        </button>
      )}
    </li>
  )
}
