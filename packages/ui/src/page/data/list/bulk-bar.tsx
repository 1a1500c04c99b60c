/** What can be done with the rows that are selected. */
import { useSignal } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Notice } from '../../components/notice.js'
import { Progress } from '../../components/progress.js'
import { confirmed } from '../ask.js'
import { eachOf, type Failed } from '../batch.js'
import { useData } from '../data-part.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Row } from '../models/properties.js'
import { draftsOf } from '../row/draft.js'
import { DraftField } from '../row/field.js'
import { formValues } from '../row/form-values.js'
import { canRestore, reasonOf, removeRows } from '../row/remove-rows.js'
import { saveRowsAs } from '../transfer/export-rows.js'

export function BulkBar ({ model, rows, onEnd }: {
  readonly model: DataModel
  readonly rows: readonly Row[]
  /** Called when nothing is to be selected any longer. */
  readonly onEnd: () => void
}) {
  const data = useData()
  const { api, part, toasts } = data
  const progress = useSignal<number | undefined>(undefined)
  const failures = useSignal<ReadonlyArray<Failed<Row>>>([])
  const editing = useSignal(false)
  const words = rows.length === 1 ? '1 row' : `${rows.length} rows`
  const remove = async (): Promise<void> => {
    const hint = canRestore(model, data) ? '' : ' This cannot be undone.'
    if (!await confirmed(part.questions, `Delete ${words}?${hint}`, 'Delete')) return
    progress.value = 0
    failures.value = await removeRows(model, rows, data, done => { progress.value = done })
    progress.value = undefined
    if (failures.value.length === 0) onEnd()
  }
  return (
    <div class="bulk" role="region" aria-label="Selected rows">
      <strong>{words} selected</strong>
      {progress.value === undefined
        ? (
          <>
            {api.may(model.update) && <Button icon="pencil" onClick={() => { editing.value = true }}>Edit</Button>}
            {api.may(model.remove) && (
              <Button
                kind="danger" icon="trash-2"
                onClick={() => { remove().catch((error: unknown) => { toasts.fail(error) }) }}
              >
                Delete
              </Button>
            )}
            <Button
              icon="download"
              onClick={() => { saveRowsAs('csv', model, rows).catch((error: unknown) => { toasts.fail(error) }) }}
            >
              CSV
            </Button>
            <Button
              icon="download"
              onClick={() => { saveRowsAs('json', model, rows).catch((error: unknown) => { toasts.fail(error) }) }}
            >
              JSON
            </Button>
            <Button kind="quiet" onClick={onEnd}>Clear</Button>
          </>
          )
        : <Progress label="Deleted" done={progress.value} of={rows.length}/>}
      {failures.value.length > 0 && <Failures model={model} failures={failures.value}/>}
      {editing.value && <BulkEdit model={model} rows={rows} onClose={() => { editing.value = false }}/>}
    </div>
  )
}

/** Which rows were refused, and why. */
export function Failures ({ model, failures }: {
  readonly model: DataModel, readonly failures: ReadonlyArray<Failed<Row>>
}) {
  return (
    <Notice kind="bad">
      {failures.length === 1 ? 'One row was refused:' : `${failures.length} rows were refused:`}
      <ul>
        {failures.slice(0, 20).map(({ item, error }, index) => (
          <li key={index}>{model.labelOf(item)}: {reasonOf(error)}</li>
        ))}
      </ul>
      {failures.length > 20 && `and ${failures.length - 20} more`}
    </Notice>
  )
}

/** One value for all of them. */
function BulkEdit ({ model, rows, onClose }: {
  readonly model: DataModel, readonly rows: readonly Row[], readonly onClose: () => void
}) {
  const { api, part, description, toasts } = useData()
  const progress = useSignal<number | undefined>(undefined)
  const failures = useSignal<ReadonlyArray<Failed<Row>>>([])
  const { update, facts: { id = '' } } = model
  const drafts = useMemo(() => update === undefined
    ? []
    : draftsOf(model.fieldsOf(update)
      .filter(({ name, schema }) => schema.readOnly !== true && name !== id && !model.facts.files.includes(name))
      .map(property => ({ property, current: undefined, model, description }))), [model])
  const [name, setName] = useState(drafts[0]?.properties[0] ?? '')
  const draft = drafts.find(({ properties }) => properties[0] === name)
  const save = async (): Promise<void> => {
    if (draft === undefined || update === undefined) return
    const found = formValues([draft], undefined)
    if (found === undefined) return
    const body = Object.fromEntries(draft.properties.map(property => [property, found.values[property] ?? null]))
    progress.value = 0
    const { done, failed } = await eachOf({
      items: rows,
      onProgress: count => { progress.value = count },
      work: async row => {
        const { value } = await api.call(update, { id: valueOf(row, id), body })
        part.tell({ type: 'update', model: model.name, id: valueOf(row, id), row: value !== null && typeof value === 'object' ? value as Row : { ...row, ...body } })
      }
    })
    progress.value = undefined
    failures.value = failed
    if (done.length > 0) toasts.tell(done.length === 1 ? '1 row was changed.' : `${done.length} rows were changed.`)
    if (failed.length === 0) onClose()
  }
  return (
    <Dialog title={rows.length === 1 ? 'Edit 1 row' : `Edit ${rows.length} rows`} onClose={onClose}>
      <form
        class="panel"
        onSubmit={event => {
          event.preventDefault()
          save().catch((error: unknown) => { toasts.fail(error) })
        }}
      >
        <div class="field">
          <label for="bulk-property">Property</label>
          <select id="bulk-property" value={name} onChange={({ currentTarget }) => { setName(currentTarget.value) }}>
            {drafts.map(({ properties }) => <option key={properties[0]} value={properties[0]}>{properties[0]}</option>)}
          </select>
        </div>
        {draft !== undefined && <DraftField key={name} draft={draft} id="bulk-value" rowId={undefined}/>}
        <p class="hint">An empty field takes the value away.</p>
        {failures.value.length > 0 && <Failures model={model} failures={failures.value}/>}
        {progress.value !== undefined && <Progress label="Changed" done={progress.value} of={rows.length}/>}
        <div class="buttons end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={progress.value !== undefined}>Change them</Button>
        </div>
      </form>
    </Dialog>
  )
}
