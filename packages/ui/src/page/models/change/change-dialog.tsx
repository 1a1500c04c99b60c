/**
 * A change of definitions: what is wanted, then the files as they would be, then they are written. It can be taken back
 * after that.
 */
import { useSignal } from '@preact/signals'
import type { Applied, Definitions, Proposal, ProposedChange } from '../../../contracts/models.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Notice } from '../../components/notice.js'
import { useUi, type Ui } from '../../ui.js'
import { definitionsOf } from '../definitions-store.js'
import { ModelForm, PropertyForm, RelationForm } from './change-forms.js'
import { DiffView } from './diff-view.js'

export type ChangeKind = ProposedChange['kind']

const titles = { model: 'A new model', property: 'A new property', relation: 'A new relation' } as const

export function ChangeDialog ({ kind, model = '', definitions, onClose }: {
  readonly kind: ChangeKind
  /** Absent for a new one. */
  readonly model?: string
  readonly definitions: Definitions
  readonly onClose: () => void
}) {
  const ui = useUi()
  const proposal = useSignal<Proposal | undefined>(undefined)
  const error = useSignal('')
  const isBusy = useSignal(false)
  const run = (work: () => Promise<void>): void => {
    isBusy.value = true
    error.value = ''
    work().catch((failure: Error) => { error.value = failure.message }).finally(() => { isBusy.value = false })
  }
  const propose = (change: ProposedChange): void => {
    run(async () => { proposal.value = await ui.server.post<Proposal>('models/propose', change) })
  }
  const apply = (token: string): void => {
    run(async () => {
      const applied = await ui.server.post<Applied>('models/apply', { token })
      onClose()
      tellOf(applied, ui)
    })
  }
  return (
    <Dialog title={model === '' ? titles[kind] : `${titles[kind]} of ${model}`} size={proposal.value === undefined ? 'small' : 'large'} onClose={onClose}>
      {error.value !== '' && <Notice kind="bad">{error.value}</Notice>}
      <div hidden={proposal.value !== undefined}>
        {kind === 'model' && <ModelForm definitions={definitions} isBusy={isBusy.value} onPropose={propose}/>}
        {kind === 'property' && <PropertyForm model={model} definitions={definitions} isBusy={isBusy.value} onPropose={propose}/>}
        {kind === 'relation' && <RelationForm model={model} definitions={definitions} isBusy={isBusy.value} onPropose={propose}/>}
      </div>
      {proposal.value !== undefined && (
        <div class="proposal">
          {proposal.value.warnings.map(warning => <Notice key={warning} kind="warning">{warning}</Notice>)}
          {proposal.value.files.map(file => <DiffView key={file.file} file={file}/>)}
          <div class="buttons">
            <Button icon="arrow-left" onClick={() => { proposal.value = undefined }}>Back</Button>
            <Button kind="primary" icon="save" disabled={isBusy.value} onClick={() => { apply((proposal.value as Proposal).token) }}>
              Write {proposal.value.files.length === 1 ? 'the file' : `${proposal.value.files.length} files`}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

/** How long the server may take to start again, in milliseconds. */
const patience = 15_000

function tellOf ({ files, restart }: Applied, ui: Ui): void {
  const { toasts, server } = ui
  const undo = (): void => {
    server.post<Applied>('models/undo').then(undone => {
      toasts.tell(`${undone.files.join(', ')} ${undone.files.length === 1 ? 'is' : 'are'} as before.`)
      if (undone.restart === 'watch') readAgain(ui)
    }, (error: unknown) => { toasts.fail(error) })
  }
  const then = restart === 'watch' ? 'The server starts again with it.' : 'Start the server again to see it.'
  toasts.tell(`${files.join(', ')} ${files.length === 1 ? 'was' : 'were'} written. ${then}`, { label: 'Undo', run: undo })
  if (restart === 'watch') readAgain(ui)
}

/** Reads the definitions again once the server is back. */
function readAgain (ui: Ui): void {
  const until = Date.now() + patience
  const ask = (): void => {
    ui.server.get<Definitions>('definitions.json').then(
      () => { definitionsOf(ui).reload() },
      () => { if (Date.now() < until) window.setTimeout(ask, 500) })
  }
  window.setTimeout(ask, 1500)
}
