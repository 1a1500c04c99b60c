/** The body of an operation: fields for its properties, the same as JSON, or the parts of a form with files. */
import { useSignal } from '@preact/signals'
import type { RequestBody } from '../../contracts/openapi.js'
import { Editor } from '../components/editor/editor.js'
import { Tabs } from '../components/tabs.js'
import { useUi } from '../ui.js'
import { BodyFields, shapeOf } from './body-fields.js'
import { fieldKindOf } from './field-kinds.js'
import { FormParts } from './form-parts-view.js'
import { isForm } from './form-parts.js'
import { SchemaView } from './schema-view.js'
import type { OperationState } from './state.js'

export function BodyEditor ({ state, onSubmit }: { readonly state: OperationState, readonly onSubmit: () => void }) {
  const { requestBody } = state.action
  if (requestBody === undefined) return null
  if (isForm(requestBody)) return <FormParts body={requestBody} state={state}/>
  // Bytes are for programs.
  if (requestBody.content['application/json'] === undefined) return null
  return <JsonBody body={requestBody} state={state} onSubmit={onSubmit}/>
}

function JsonBody ({ body, state, onSubmit }: {
  readonly body: RequestBody, readonly state: OperationState, readonly onSubmit: () => void
}) {
  const { description } = useUi()
  const schema = body.content['application/json']?.schema
  const hasFields = Object.entries(shapeOf(schema, description).properties)
    .some(([name, each]) => fieldKindOf(name, each) !== undefined)
  const shown = useSignal(hasFields ? 'fields' : 'json')
  const tabs = [
    ...hasFields ? [{ name: 'fields', title: 'Fields' }] : [],
    { name: 'json', title: 'JSON' }, { name: 'schema', title: 'Schema' }
  ]
  return (
    <fieldset class="body">
      <legend>
        Body{body.required && <span class="required" title="required"> *</span>}
        <span class="kind"> {description.typeName(schema)}</span>
      </legend>
      {body.description !== undefined && <p class="hint">{body.description}</p>}
      <Tabs label="Body" tabs={tabs} chosen={shown.value} onChoose={name => { shown.value = name }}>
        {shown.value === 'fields' && <BodyFields schema={schema} state={state}/>}
        {shown.value === 'json' && (
          <Editor
            id="body" label="body" value={state.body.value} schema={schema} description={description} onSubmit={onSubmit}
            onInput={text => { state.body.value = text }}
          />
        )}
        {shown.value === 'schema' && <SchemaView schema={schema}/>}
      </Tabs>
    </fieldset>
  )
}
