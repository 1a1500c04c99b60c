/** A field for each part of a form; files can be dropped onto theirs. */
import type { RequestBody } from '../../contracts/openapi.js'
import { controlProps, Field } from '../components/field.js'
import { useUi } from '../ui.js'
import { partsOf, type FormPart } from './form-parts.js'
import type { OperationState } from './state.js'

export function FormParts ({ body, state }: { readonly body: RequestBody, readonly state: OperationState }) {
  const { description } = useUi()
  const set = (name: string, value: readonly File[] | string): void => {
    state.parts.value = new Map(state.parts.peek()).set(name, value)
  }
  return (
    <fieldset class="body">
      <legend>Form{body.required && <span class="required" title="required"> *</span>}</legend>
      {partsOf(body, description).map((part, index) => {
        const { name, required, hint, schema } = part
        const id = `part-${index}`
        return (
          <Field
            key={name} id={id} label={name} required={required} kind={`form, ${description.typeName(schema)}`}
            {...hint === '' ? {} : { hint }}
          >
            <Part part={part} id={id} text={state.parts.value.get(name)} onChange={value => { set(name, value) }}/>
          </Field>
        )
      })}
    </fieldset>
  )
}

function Part ({ part: { name, isFile, multiple, accept, hint, schema }, id, text, onChange }: {
  readonly part: FormPart
  readonly id: string
  readonly text: readonly File[] | string | undefined
  readonly onChange: (value: readonly File[] | string) => void
}) {
  const props = { ...controlProps({ id, hint: hint === '' ? undefined : hint }), name }
  if (isFile) {
    return (
      <input
        {...props} type="file" multiple={multiple} accept={accept} class="drop"
        onChange={({ currentTarget }) => { onChange([...currentTarget.files ?? []]) }}
      />
    )
  }
  const value = typeof text === 'string' ? text : ''
  const input = ({ currentTarget }: {
    readonly currentTarget: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
  }): void => {
    onChange(currentTarget.value)
  }
  const choices = schema.type === 'boolean' ? ['true', 'false'] : Array.isArray(schema.enum) ? schema.enum.map(String) : undefined
  if (choices !== undefined) {
    return (
      <select {...props} value={value} onInput={input}>
        <option value=""/>{choices.map(choice => <option key={choice} value={choice}>{choice}</option>)}
      </select>
    )
  }
  return multiple
    ? <textarea {...props} rows={2} spellcheck={false} value={value} onInput={input}/>
    : <input {...props} type="text" autocomplete="off" spellcheck={false} value={value} onInput={input}/>
}
