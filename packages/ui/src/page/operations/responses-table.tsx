/** Every response that the description tells of, by status; its schema is there when it is opened. */
import { useSignal } from '@preact/signals'
import type { Content, Response } from '../../contracts/openapi.js'
import type { Action } from '../api/description.js'
import { useUi } from '../ui.js'
import { SchemaView } from './schema-view.js'

export function ResponsesTable ({ action }: { readonly action: Action }) {
  const { description } = useUi()
  return (
    <details class="responses">
      <summary>Responses</summary>
      <table>
        <tbody>
          {Object.entries(action.responses).map(([status, given]) => (
            <ResponseRow key={status} status={status} response={description.response(given)}/>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function ResponseRow ({ status, response: { description: about, headers, content } }: {
  readonly status: string, readonly response: Response
}) {
  const names = Object.keys(headers ?? {})
  return (
    <tr>
      <th scope="row"><span class={`chip ${status.startsWith('2') ? 'good' : status.startsWith('3') ? 'info' : ''}`}>{status}</span></th>
      <td>
        {about}{names.length > 0 && <span class="kind"> with {names.join(', ')}</span>}
        {content !== undefined && <ContentView content={content}/>}
      </td>
    </tr>
  )
}

/** What comes as JSON; of what does not, its media types. */
function ContentView ({ content }: { readonly content: Content }) {
  const { description } = useUi()
  const isOpen = useSignal(false)
  const json = content['application/json']
  const others = Object.keys(content).filter(type => type !== 'application/json')
  if (json === undefined) return <code>{others.join(' or ')}</code>
  return (
    <details class="nested" onToggle={({ currentTarget }) => { isOpen.value = currentTarget.open }}>
      <summary><code>{description.typeName(json.schema)}</code></summary>
      {isOpen.value && <SchemaView schema={json.schema}/>}
      {others.length > 0 && <p class="hint">Also as {others.join(', ')}</p>}
    </details>
  )
}
