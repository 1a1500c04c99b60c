/** What happened to a row, and the buttons that write it as it was; read when somebody opens it. */
import { useState } from 'preact/hooks'
import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { Time } from '../../components/time.js'
import { useData } from '../data-part.js'
import { clipped, type DataModel } from '../models/models.js'
import type { Row } from '../models/properties.js'
import { pieceSize, usePieces } from './pieces.js'
import { onlyIf } from './save-row.js'

interface Version {
  readonly version: number
  readonly operation: string
  readonly at: string
  readonly userId: unknown
  readonly before: Row | null
  readonly after: Row | null
}

export interface HistoryProps {
  readonly model: DataModel
  readonly id: string
  readonly tag: string | null
  /** Called when the row was written as it was. */
  readonly onReverted: () => Promise<void>
}

/** Nothing for models without a history. */
export function History (props: HistoryProps) {
  const { api } = useData()
  const [isOpen, setOpen] = useState(false)
  if (!api.may(props.model.history, props.id)) return null
  return (
    <details class="pane-section" onToggle={({ currentTarget }) => { setOpen(currentTarget.open) }}>
      <summary><h3>History</h3></summary>
      {isOpen && <Versions {...props}/>}
    </details>
  )
}

function Versions ({ model, id, tag, onReverted }: HistoryProps) {
  const { api, toasts } = useData()
  const { history, revert } = model
  const { items, error, more } = usePieces<Version>(async skip => history === undefined
    ? []
    : (await api.call(history, { id, query: { filter: { limit: pieceSize, skip } } })).value as Version[], `${model.name} ${id} ${tag ?? ''}`)
  const back = (version: number): void => {
    if (revert === undefined) return
    api.call(revert, { id, body: { version }, headers: onlyIf(tag) }).then(async () => {
      await onReverted()
      toasts.tell(`The row is as it was after version ${version}.`)
    }).catch((failed: unknown) => { toasts.fail(failed) })
  }
  return (
    <>
      {error !== undefined && <Notice kind="bad">{(error as Error).message}</Notice>}
      <ol class="versions">
        {items.map(({ version, operation, at, userId, before, after }) => (
          <li key={version}>
            <div class="version-head">
              <strong>{version}</strong><span>{[operation, changesIn(before, after)].filter(text => text !== '').join(': ')}</span>
            </div>
            <div class="version-foot">
              <span class="quiet-text">
                <Time value={at}/>
                {userId === null || userId === undefined ? '' : ` by ${String(userId)}`}
              </span>
              {after !== null && api.may(revert, id) && (
                <Button kind="quiet" icon="rotate-ccw" onClick={() => { back(version) }}>
                  {`Revert to ${version}`}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {more}
    </>
  )
}

/** The values that an update changed. */
function changesIn (before: Row | null, after: Row | null): string {
  if (before === null || after === null) return ''
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(name => textOf(before[name]) !== textOf(after[name]))
    .map(name => `${name} ${clipped(textOf(before[name]), 200)} → ${clipped(textOf(after[name]), 200)}`).join(', ')
}

const textOf = (value: unknown): string => JSON.stringify(value ?? null)
