/** Import and export of a list. */
import { useSignal } from '@preact/signals'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Menu, type MenuItem } from '../../components/menu.js'
import { useData } from '../data-part.js'
import type { ListState } from '../list/list-state.js'
import type { DataModel } from '../models/models.js'
import { saveListAs, type FileKind } from './export-rows.js'
import { ImportDialog } from './import-dialog.js'

export function TransferMenu ({ model, state }: { readonly model: DataModel, readonly state: ListState }) {
  const data = useData()
  const { api, toasts } = data
  const isImporting = useSignal(false)
  const exporting = useSignal<{ readonly rows: number, readonly ended: AbortController } | undefined>(undefined)
  const save = (kind: FileKind): void => {
    const ended = new AbortController()
    exporting.value = { rows: 0, ended }
    saveListAs(kind, model, state, data, rows => { exporting.value = { rows, ended } }, ended.signal)
      .catch((error: unknown) => { if (!ended.signal.aborted) toasts.fail(error) })
      .finally(() => { exporting.value = undefined })
  }
  const items: MenuItem[] = [
    ...api.may(model.create) ? [{ label: 'Import CSV or JSON', icon: 'upload', run: () => { isImporting.value = true } } as const] : [],
    ...api.may(model.find)
      ? [
          { label: 'Export as CSV', icon: 'download', run: () => { save('csv') } } as const,
          { label: 'Export as JSON', icon: 'download', run: () => { save('json') } } as const
        ]
      : []
  ]
  const running = exporting.value
  return (
    <>
      {items.length > 0 && <Menu label="Import and export" icon="ellipsis" items={items}/>}
      {isImporting.value && <ImportDialog model={model} onClose={() => { isImporting.value = false }}/>}
      {running !== undefined && (
        <Dialog title="Export" onClose={() => { running.ended.abort() }}>
          <p role="status">{running.rows === 0 ? 'Reading the rows …' : `${running.rows} rows are there …`}</p>
          <div class="buttons end"><Button onClick={() => { running.ended.abort() }}>Stop</Button></div>
        </Dialog>
      )}
    </>
  )
}
