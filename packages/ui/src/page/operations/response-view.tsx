/** What came back: as JSON or as a table, a file to save and to see, a stream that grows. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../components/button.js'
import { CopyButton } from '../components/copy-button.js'
import { Empty } from '../components/empty.js'
import { JsonText } from '../components/json-text.js'
import { Notice } from '../components/notice.js'
import { useUi } from '../ui.js'
import { FileView } from './file-view.js'
import { hintFor } from './hint-for.js'
import { pageOf, Pager } from './pager.js'
import type { Body, Came } from './result.js'
import { rowsOf, RowsTable } from './rows-table.js'
import type { OperationState } from './state.js'

/** Letters of JSON that is written anew, with lines and spaces: more would hold up the page, and is as it came. */
const mostIndented = 500_000

export function ResponseView ({ state, onPage }: { readonly state: OperationState, readonly onPage: () => void }) {
  const result = state.result.value
  return (
    <section class="response" aria-label="Response" aria-live="polite" aria-busy={result?.kind === 'sending'}>
      {result === undefined && <Empty icon="send" title="No response yet"><p>Run the operation to see what comes back.</p></Empty>}
      {result?.kind === 'sending' && (result.share === undefined
        ? <p class="quiet-text response-wait">Sending …</p>
        : <progress max={1} value={result.share} aria-label="Sent"/>)}
      {result?.kind === 'failed' && <Notice kind="bad">{result.text}</Notice>}
      {result?.kind === 'came' && <CameView came={result} state={state} onPage={onPage}/>}
    </section>
  )
}

function CameView ({ came, state, onPage }: {
  readonly came: Came
  readonly state: OperationState
  readonly onPage: () => void
}) {
  const { config } = useUi()
  const hidden = new Set(config.hiddenHeaders?.map(name => name.toLowerCase()))
  const head = useRef<HTMLElement>(null)
  useEffect(() => { head.current?.scrollIntoView({ block: 'nearest' }) }, [came])
  const { status, statusText, milliseconds, size, body } = came
  const headers = came.headers.filter(([name]) => !hidden.has(name)).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <header ref={head}>
        <span class={`chip status ${status < 400 ? 'good' : 'bad'}`}>{`${status} ${statusText}`.trim()}</span>
        <span class="quiet-text">{milliseconds} ms{size === undefined ? '' : `, ${size.toLocaleString('en')} bytes`}</span>
      </header>
      <Hint status={status} body={body} state={state}/>
      <details class="response-headers">
        <summary>Headers ({headers.length})</summary>
        <pre class="code" tabIndex={0} role="region" aria-label="Response headers">{headers.join('\n')}</pre>
      </details>
      <BodyView came={came} state={state} onPage={onPage}/>
    </>
  )
}

function BodyView ({ came: { body, status, headers }, state, onPage }: {
  readonly came: Came, readonly state: OperationState, readonly onPage: () => void
}) {
  const { slot } = useUi()
  const choice = slot('api rows', () => ({ isTable: false }))
  const isTable = useSignal(choice.isTable)
  if (body.kind === 'empty') return null
  if (body.kind === 'file') return <FileView file={body.file}/>
  if (body.kind === 'stream') return <StreamView body={body}/>
  const { text, value, file } = body
  const rows = status < 300 ? rowsOf(value) : undefined
  const page = status < 300 && Array.isArray(value) ? pageOf(state, headers, value) : undefined
  const shown = value === undefined || text.length > mostIndented ? text : JSON.stringify(value, null, 2)
  return (
    <>
      {file !== undefined && <FileView file={file}/>}
      <div class="buttons">
        {rows !== undefined && (
          <Button
            kind="quiet" icon={isTable.value ? 'braces' : 'table'} onClick={() => {
              isTable.value = !isTable.value
              choice.isTable = isTable.value
            }}
          >{isTable.value ? 'As JSON' : 'As table'}
          </Button>
        )}
        <CopyButton text={() => shown}/>
      </div>
      {rows !== undefined && isTable.value
        ? <RowsTable rows={rows} action={state.action}/>
        : <JsonText text={shown} label="Response body" isJson={value !== undefined}/>}
      {page !== undefined && <Pager page={page} state={state} onPage={onPage}/>}
    </>
  )
}

function StreamView ({ body }: { readonly body: Body & { readonly kind: 'stream' } }) {
  return (
    <>
      <p class={body.isOpen.value ? 'chip good' : 'chip'}>{body.isOpen.value ? 'The stream is open' : 'Stopped'}</p>
      <JsonText text={body.text.value} label="Response body" isJson={false}/>
    </>
  )
}

/** What a response means for the login. */
function Hint ({ status, body, state }: {
  readonly status: number
  readonly body: Body
  readonly state: OperationState
}) {
  const { token, description } = useUi()
  const hint = hintFor(state.action, status, body, { hasToken: token.value !== '', secured: description.secured })
  if (hint === undefined) return null
  if (hint.token === undefined) return <Notice kind="warning">{hint.text}</Notice>
  const { token: value, userId } = hint
  return (
    <div class="buttons">
      <Button kind="primary" icon="key-round" onClick={() => { token.set(value, { model: state.action.tags[0] ?? '', userId }) }}>
        Use this token
      </Button>
    </div>
  )
}
