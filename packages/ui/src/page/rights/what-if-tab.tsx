/** What would be if the rules were others: cells of the matrix that change, rows that somebody gains or loses. */
import { useSignal } from '@preact/signals'
import type { ChangedLine, ChangedRows, ModelRights, RightsLine, WhatIf, WhatIfRequest } from '../../contracts/rights.js'
import { Button } from '../components/button.js'
import { CopyButton } from '../components/copy-button.js'
import { Editor } from '../components/editor/editor.js'
import { JsonText } from '../components/json-text.js'
import { Notice } from '../components/notice.js'
import { useUi } from '../ui.js'
import { roleName, rowsInWords } from './cells.js'
import { UserField, type ChosenUser } from './user-field.js'

export function WhatIfTab ({ model }: { readonly model: ModelRights }) {
  const { server } = useUi()
  const text = useSignal(JSON.stringify(model.rules.map(({ rule }) => rule), null, 2))
  const user = useSignal<ChosenUser | undefined>(undefined)
  const result = useSignal<WhatIf | undefined>(undefined)
  const error = useSignal('')
  const attempt = (): void => {
    error.value = ''
    let rules: WhatIfRequest['rules']
    try {
      rules = JSON.parse(text.value)
    } catch (failure) {
      error.value = `The rules are no JSON: ${(failure as Error).message}`
      return
    }
    const request: WhatIfRequest = { model: model.model, rules, ...user.value }
    server.post<WhatIf>('rights/what-if', request).then(
      found => { result.value = found },
      (failure: Error) => {
        result.value = undefined
        error.value = failure.message
      })
  }
  return (
    <div class="ask wide">
      <form class="request-form" aria-label="What if" onSubmit={event => { event.preventDefault(); attempt() }}>
        <p class="quiet-text">Nothing is written: change the rules, see what would change, and take them.</p>
        <Editor id="what-if-rules" label="Rules" value={text.value} onInput={value => { text.value = value }} onSubmit={attempt} invalid={error.value !== ''}/>
        <UserField id="what-if-user" onChoose={chosen => { user.value = chosen }}/>
        <div class="buttons"><Button kind="primary" type="submit">See what would change</Button></div>
      </form>
      <div aria-live="polite" class="why">
        {error.value !== '' && <Notice kind="bad">{error.value}</Notice>}
        {result.value !== undefined && <WhatIfView result={result.value}/>}
      </div>
    </div>
  )
}

function WhatIfView ({ result: { changed, rows, withoutRows, faults, json, source } }: { readonly result: WhatIf }) {
  return (
    <>
      {faults.map(({ rule, key, says }) => <Notice key={`${rule} ${key}`} kind="bad">Rule {rule + 1}, <code>{key}</code>: {says}. Such a rule allows nothing.</Notice>)}
      <h3>{changed.length === 0 ? 'Nobody would gain or lose a method' : `${changed.length} ${changed.length === 1 ? 'cell' : 'cells'} of the matrix would change`}</h3>
      {changed.length > 0 && (
        <div class="table-box" tabIndex={0} role="region" aria-label="Cells that would change">
          <table class="rows">
            <thead><tr><th scope="col">Method</th><th scope="col">For</th><th scope="col">Now</th><th scope="col">Then</th></tr></thead>
            <tbody>{changed.map(line => <ChangedRow key={`${line.method} ${line.role}`} line={line}/>)}</tbody>
          </table>
        </div>
      )}
      <h3>Rows that the caller would find</h3>
      {rows === undefined
        ? <p class="quiet-text">{withoutRows}</p>
        : (
          <>
            <p>{rows.before} now, {rows.after} then.</p>
            <RowsChange title="Gained" kind="good" rows={rows.gained}/>
            <RowsChange title="Lost" kind="bad" rows={rows.lost}/>
          </>
          )}
      <h3>The rules, to take</h3>
      {source !== undefined && <p>They belong into <code>{source.file}{source.line === undefined ? '' : `:${source.line}`}</code>.</p>}
      <div class="buttons"><CopyButton text={() => json}/></div>
      <JsonText label="Rules to take" text={json}/>
    </>
  )
}

const inWords = (line: RightsLine | undefined): string =>
  line === undefined ? 'nothing' : `${rowsInWords(line.rows)}${line.read.includes('*') ? '' : `, reads ${line.read.join(', ')}`}${line.write === undefined || line.write.includes('*') ? '' : `, writes ${line.write.join(', ')}`}`

const ChangedRow = ({ line: { method, role, before, after } }: { readonly line: ChangedLine }) =>
  <tr>
    <th scope="row">{method}</th><td>{roleName(role)}</td>
    <td><span class={`chip ${before === undefined ? '' : 'good'}`}>{inWords(before)}</span></td>
    <td><span class={`chip ${after === undefined ? 'bad' : 'good'}`}>{inWords(after)}</span></td>
  </tr>

function RowsChange ({ title, kind, rows: { count, rows } }: { readonly title: string, readonly kind: 'good' | 'bad', readonly rows: ChangedRows }) {
  if (count === 0) return null
  return (
    <p class="chips">
      <span class={`chip ${kind}`}>{title} {count}</span>
      {rows.map(({ id, title: name }) => <span key={id} class="chip">{name ?? id}</span>)}
      {count > rows.length && <span class="quiet-text">and {count - rows.length} more</span>}
    </p>
  )
}
