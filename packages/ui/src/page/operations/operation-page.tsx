/** One operation: what it is and takes on one side, the request as code and what came back on the other. */
import { useEffect, useState } from 'preact/hooks'
import { plainId, type Action } from '../api/description.js'
import { Button } from '../components/button.js'
import { CopyButton } from '../components/copy-button.js'
import { Icon } from '../components/icon.js'
import { useUi } from '../ui.js'
import { apiAddress } from './addresses.js'
import { BodyEditor } from './body-editor.js'
import { Caller } from './caller.js'
import { CodeView } from './code-view.js'
import { ParameterFields } from './parameter-fields.js'
import { missingOf, planRequest } from './request.js'
import { ResponseView } from './response-view.js'
import { ResponsesTable } from './responses-table.js'
import { send } from './send.js'
import { apiStateOf, type OperationState } from './state.js'

export function OperationPage ({ action }: { readonly action: Action }) {
  const ui = useUi()
  const { description } = ui
  const state = apiStateOf(ui).of(action)
  const run = (): void => { send(state, ui).catch((error: unknown) => { ui.toasts.fail(error) }) }
  const isSending = state.result.value?.kind === 'sending'
  const isStream = state.result.value?.kind === 'came' && state.result.value.body.kind === 'stream' && state.result.value.body.isOpen.value
  return (
    <>
      <header class="view-head operation-head">
        <div>
          <p class="crumbs"><a href={apiAddress(action.tags[0] ?? '')}>{action.tags[0]}</a></p>
          <h2>{plainId(action).slice((action.tags[0] ?? '').length + 1)}</h2>
          <p class="operation-path">
            <span class="verb" data-verb={action.verb.toLowerCase()}>{action.verb}</span>
            <code>{action.deprecated === true ? <s>{action.path}</s> : action.path}</code>
            <CopyButton text={() => description.base + action.path}/>
          </p>
        </div>
        <Caller/>
      </header>
      <div class="view-body operation-page">
        <div class="operation-about">
          <About action={action}/>
          <form
            class="request-form" id="request" aria-label="Request"
            onSubmit={event => { event.preventDefault(); if (missingOf(state).length === 0) run() }}
            onKeyDown={event => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              event.currentTarget.requestSubmit()
            }}
          >
            <ParameterFields state={state}/>
            <BodyEditor state={state} onSubmit={run}/>
            <GoesOn state={state}/>
            <div class="buttons">
              <Button kind="primary" type="submit" icon="send" disabled={isSending}>
                {state.result.value?.kind === 'failed' && state.result.value.mayResume ? 'Resume' : 'Run'}
              </Button>
              {(isSending || isStream) && <Button icon="square" onClick={() => { state.stop?.() }}>Stop</Button>}
            </div>
          </form>
          <ResponsesTable action={action}/>
        </div>
        <div class="operation-try">
          <CodeView action={action} state={state} request={planRequest(state, description)}/>
          <ResponseView state={state} onPage={run}/>
        </div>
      </div>
    </>
  )
}

/** What it does, who may call it, which rows rules leave. */
function About ({ action }: { readonly action: Action }) {
  const { description } = useUi()
  const [callers, setCallers] = useState<string | undefined>(undefined)
  useEffect(() => {
    description.callers().then(all => { setCallers(all[plainId(action)]) }, () => { /* The page does without. */ })
  }, [action])
  const rows = action['x-row-rules']
  return (
    <>
      {(action.summary !== undefined || action.description !== undefined) && (
        <p class="api-about">{[action.summary, action.description].filter(text => text !== undefined).join('\n')}</p>
      )}
      {(callers !== undefined || rows !== undefined) && (
        <p class="callers">
          {callers !== undefined && <span class="chip"><Icon name="users"/>May be called by: {callers}</span>}
          {rows !== undefined && <span class="chip violet"><Icon name="filter"/>Rules leave: {rows}</span>}
        </p>
      )}
    </>
  )
}

function GoesOn ({ state }: { readonly state: OperationState }) {
  if (useUi().description.resumable(state.action) === undefined) return null
  return (
    <label class="check">
      <input
        type="checkbox" checked={state.goesOn.value}
        onChange={({ currentTarget }) => { state.goesOn.value = currentTarget.checked }}
      /> Goes on after a cut
    </label>
  )
}
