/** GraphQL from the page: a document with proposals by the schema, its variables, what comes back. */
import { signal, useSignal, type Signal } from '@preact/signals'
import type { GraphQLSchema } from 'graphql'
import { useEffect } from 'preact/hooks'
import { Button } from '../../components/button.js'
import { CopyButton } from '../../components/copy-button.js'
import { Editor } from '../../components/editor/editor.js'
import { Empty } from '../../components/empty.js'
import { Field } from '../../components/field.js'
import { JsonText } from '../../components/json-text.js'
import { Notice } from '../../components/notice.js'
import { useUi } from '../../ui.js'
import { Caller } from '../caller.js'
import { operationsIn } from './documents.js'
import { readSchema, send, type GraphqlRequest, type GraphqlResponse } from './endpoint.js'
import { SchemaList } from './schema-list.js'

interface State {
  readonly document: Signal<string>
  readonly variables: Signal<string>
  readonly response: Signal<GraphqlResponse | undefined>
}

const newState = (): State => ({ document: signal(''), variables: signal(''), response: signal(undefined) })

export function GraphqlPage ({ address }: { readonly address: string }) {
  const { slot, token, description } = useUi()
  const { document, variables, response } = slot('graphql', newState)
  const url = new URL(address, new URL(description.base, window.location.href)).href
  const schema = useSchema(url)
  const name = useSignal('')
  const isSending = useSignal(false)
  const fault = useSignal('')
  const names = operationsIn(document.value) ?? []
  const run = (): void => {
    const operationName = names.length < 2 ? undefined : names.find(each => each === name.value) ?? names[0]
    const request = requestOf(document.value, variables.value, operationName)
    fault.value = typeof request === 'string' ? request : ''
    if (typeof request === 'string') return
    isSending.value = true
    send(url, token.headers, request).then(
      came => { response.value = came },
      () => { fault.value = 'The server does not respond' }
    ).finally(() => { isSending.value = false })
  }
  return (
    <>
      <header class="view-head operation-head">
        <div>
          <h2>GraphQL</h2>
          <p class="operation-path"><code>{address}</code><CopyButton text={() => url}/></p>
        </div>
        <Caller/>
      </header>
      <div class="view-body operation-page">
        <form class="request-form" aria-label="Document" onSubmit={event => { event.preventDefault(); run() }}>
          <Field id="graphql-document" label="Document">
            <Editor
              id="graphql-document" label="Document" language="graphql" graphqlSchema={schema.value.schema}
              value={document.value} onInput={value => { document.value = value }} onSubmit={run}
            />
          </Field>
          <Field id="graphql-variables" label="Variables">
            <Editor
              id="graphql-variables" label="Variables" value={variables.value} onSubmit={run}
              onInput={value => { variables.value = value }}
            />
          </Field>
          {names.length > 1 && <OperationName names={names} name={name}/>}
          {fault.value !== '' && <Notice kind="bad">{fault.value}</Notice>}
          <div class="buttons">
            <Button kind="primary" type="submit" icon="send" disabled={isSending.value}>Run</Button>
          </div>
          {schema.value.schema !== undefined &&
            <SchemaList schema={schema.value.schema} onUse={made => { document.value = made }}/>}
          {schema.value.fault !== undefined && <Notice kind="warning">{schema.value.fault}</Notice>}
        </form>
        <div class="operation-try"><Response response={response.value}/></div>
      </div>
    </>
  )
}

const OperationName = ({ names, name }: { readonly names: readonly string[], readonly name: Signal<string> }) =>
  <Field id="graphql-operation" label="Operation">
    <select id="graphql-operation" value={name.value} onChange={({ currentTarget }) => { name.value = currentTarget.value }}>
      {names.map(each => <option key={each} value={each}>{each}</option>)}
    </select>
  </Field>

const Response = ({ response }: { readonly response: GraphqlResponse | undefined }) =>
  <section class="response" aria-label="Response" aria-live="polite">
    {response === undefined
      ? <Empty icon="send" title="No response yet"><p>Run a document to see what comes back.</p></Empty>
      : (
        <>
          <header>
            <span class={`chip status ${response.isFaulty ? 'bad' : 'good'}`}>{response.status}{response.isFaulty && ', with errors'}</span>
            <span class="quiet-text">{response.milliseconds} ms</span>
            <CopyButton text={() => response.text}/>
          </header>
          <JsonText label="Response body" text={response.text}/>
        </>
        )}
  </section>

interface Known { readonly schema?: GraphQLSchema, readonly fault?: string }

/** The schema as whoever is logged in may ask for it. */
function useSchema (url: string): Signal<Known> {
  const { token } = useUi()
  const known = useSignal<Known>({})
  useEffect(() => {
    let isCurrent = true
    const set = (value: Known): void => { if (isCurrent) known.value = value }
    readSchema(url, token.headers).then(
      schema => { set({ schema }) },
      (error: unknown) => { set({ fault: error instanceof Error ? error.message : String(error) }) })
    return () => { isCurrent = false }
  }, [url, token.value])
  return known
}

/** The request, or what is wrong with it. */
function requestOf (query: string, text: string, operationName: string | undefined): GraphqlRequest | string {
  if (query.trim() === '') return 'The document is empty'
  const named = operationName === undefined ? {} : { operationName }
  if (text.trim() === '') return { query, ...named }
  try {
    return { query, ...named, variables: JSON.parse(text) as unknown }
  } catch {
    return 'The variables are no JSON'
  }
}
