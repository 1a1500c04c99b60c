/** The request that the fields make, as code to copy. */
import { useSignal } from '@preact/signals'
import type { Action } from '../api/description.js'
import { CopyButton } from '../components/copy-button.js'
import { JsonText } from '../components/json-text.js'
import { useUi } from '../ui.js'
import { requestForms } from './request-code.js'
import { given, type PlannedRequest } from './request.js'
import type { OperationState } from './state.js'

export function CodeView ({ action, state, request }: {
  readonly action: Action, readonly state: OperationState, readonly request: PlannedRequest
}) {
  const { description, token, slot } = useUi()
  // The language stays the same from one operation to the next.
  const chosen = slot('api code', () => ({ name: 'curl' }))
  const name = useSignal(chosen.name)
  const forms = requestForms(action, request, given(action, state.fields.value, description), token.value !== '')
  const form = forms.find(each => each.name === name.value) ?? forms.find(each => each.name === 'curl')
  return (
    <section class="code-panel" aria-label="Request as code">
      <header>
        <label for="code-language">Code for</label>
        <select
          id="code-language" value={form?.name} onChange={({ currentTarget }) => {
            chosen.name = currentTarget.value
            name.value = currentTarget.value
          }}
        >
          {forms.map(each => <option key={each.name} value={each.name}>{each.name}</option>)}
        </select>
        <CopyButton text={() => form?.text ?? ''}/>
      </header>
      <JsonText text={form?.text ?? ''} label="Code" isJson={form?.name === 'JSON'}/>
    </section>
  )
}
