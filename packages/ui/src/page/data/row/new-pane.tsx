/** The form of a new row. */
import { Notice } from '../../components/notice.js'
import { SidePane } from '../../components/side-pane.js'
import { useData } from '../data-part.js'
import { listAddress, rowAddress, type ListState } from '../list/list-state.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Row } from '../models/properties.js'
import { RowForm } from './row-form.js'

export function NewPane ({ model, state, onClose }: {
  readonly model: DataModel, readonly state: ListState, readonly onClose: () => void
}) {
  const { api, part, router, toasts } = useData()
  const { create, facts: { id: idName } } = model
  const save = async (body: unknown): Promise<void> => {
    if (create === undefined) return
    const row = ((await api.call(create, { body })).value ?? {}) as Row
    const id = idName === undefined ? undefined : valueOf(row, idName)
    part.tell({ type: 'create', model: model.name, id, row })
    toasts.tell(`${model.labelOf(row)} was created.`)
    router.go(id === undefined || id === null
      ? listAddress(model.name, state)
      : rowAddress(model.name, [{ model: model.name, id }], state))
  }
  return (
    <SidePane title={`New ${model.name}`} onClose={onClose}>
      {api.may(create)
        ? <RowForm model={model} action={create} row={undefined} rowId={undefined} send="Create" save={save} focus/>
        : <Notice kind="bad">You may not make rows of {model.name}.</Notice>}
    </SidePane>
  )
}
