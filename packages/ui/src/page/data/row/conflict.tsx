/** A row that somebody else saved meanwhile: both sides of what was changed, and a choice for each. */
import { useSignal } from '@preact/signals'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { clipped } from '../models/models.js'
import type { Row } from '../models/properties.js'
import type { Questions } from '../questions.js'

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '(nothing)' : clipped(typeof value === 'string' ? value : JSON.stringify(value), 500)

/**
 * The values that are to be saved over the row as it is now: all of `mine`, some of them, or none.
 * @returns undefined where the person wants to go on editing
 */
export async function settleConflict (mine: Row, theirs: Row, questions: Questions): Promise<Row | undefined> {
  const names = Object.keys(mine).filter(name => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]))
  return await questions.ask<Row>(close => <Conflict mine={mine} theirs={theirs} names={names} close={close}/>)
}

function Conflict ({ mine, theirs, names, close }: {
  readonly mine: Row, readonly theirs: Row, readonly names: readonly string[], readonly close: (chosen?: Row) => void
}) {
  const kept = useSignal<ReadonlySet<string>>(new Set(names))
  const turn = (name: string): void => {
    const now = new Set(kept.peek())
    if (!now.delete(name)) now.add(name)
    kept.value = now
  }
  return (
    <Dialog title="Somebody else saved this row meanwhile." size="large" onClose={() => { close() }}>
      <p>Choose the values of yours that are to be saved over theirs.</p>
      <div class="plain-table">
        <table>
          <thead><tr><td/><th scope="col">Theirs</th><th scope="col">Keep mine</th></tr></thead>
          <tbody>
            {names.map(name => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{textOf(theirs[name])}</td>
                <td>
                  <label class="check">
                    <input
                      type="checkbox" aria-label={`Keep my ${name}`} checked={kept.value.has(name)}
                      onChange={() => { turn(name) }}
                    />
                    {textOf(mine[name])}
                  </label>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="buttons end">
        <Button onClick={() => { close() }}>Go on editing</Button>
        <Button onClick={() => { close({}) }}>Take theirs</Button>
        <Button
          kind="primary"
          onClick={() => {
            close(Object.fromEntries(names.filter(name => kept.peek().has(name)).map(name => [name, mine[name]])))
          }}
        >
          Save what is chosen
        </Button>
      </div>
    </Dialog>
  )
}
