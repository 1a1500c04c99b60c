/** Fields for the parameters of an operation. */
import { useSignal } from '@preact/signals'
import type { Parameter, Schema } from '../../contracts/openapi.js'
import { Button } from '../components/button.js'
import { Editor } from '../components/editor/editor.js'
import { controlProps, Field } from '../components/field.js'
import { useUi } from '../ui.js'
import { FilterBuilder, builtFrom } from './filter-builder.js'
import { schemaOf } from './request.js'
import { keyOf, type OperationState } from './state.js'

const positions = { path: 'path', query: 'query', header: 'header' } as const

export function ParameterFields ({ state }: { readonly state: OperationState }) {
  const { parameters = [] } = state.action
  if (parameters.length === 0) return null
  return (
    <fieldset class="parameters">
      <legend>Parameters</legend>
      {parameters.map((parameter, index) => (
        <ParameterField key={keyOf(parameter)} parameter={parameter} id={`parameter-${index}`} state={state}/>
      ))}
    </fieldset>
  )
}

function ParameterField ({ parameter, id, state }: {
  readonly parameter: Parameter, readonly id: string, readonly state: OperationState
}) {
  const { description } = useUi()
  const isBuilding = useSignal(false)
  const { name, required = false, in: position } = parameter
  const written = schemaOf(parameter)
  const schema = description.schema(written)
  const isList = parameter.content === undefined && schema.type === 'array'
  const hint = [parameter.description, isList ? 'One value a line.' : undefined].filter(text => text !== undefined).join(' ')
  const text = state.fields.value[keyOf(parameter)] ?? ''
  const set = (value: string): void => { state.setField(keyOf(parameter), value) }
  const isBuilt = position === 'query' && builtFrom(written) !== undefined
  return (
    <Field
      id={id} label={name} required={required} kind={`${positions[position]}, ${description.typeName(written)}`}
      {...hint === '' ? {} : { hint }}
    >
      {isBuilt && (
        <Button kind="quiet" icon="wand-sparkles" expanded={isBuilding.value} onClick={() => { isBuilding.value = !isBuilding.value }}>
          Build
        </Button>
      )}
      {isBuilding.value && <FilterBuilder schema={written as Schema} id={id} onChange={set}/>}
      <Control
        parameter={parameter} schema={schema} id={id} text={text} isList={isList} onInput={set}
        required={required && position === 'path'} hint={hint === '' ? undefined : hint}
      />
    </Field>
  )
}

function Control ({ parameter: { name, content }, schema, id, text, isList, required, hint, onInput }: {
  readonly parameter: Parameter
  readonly schema: Schema
  readonly id: string
  readonly text: string
  readonly isList: boolean
  readonly required: boolean
  readonly hint: string | undefined
  readonly onInput: (text: string) => void
}) {
  const { description } = useUi()
  const props = controlProps({ id, hint })
  const choices = schema.type === 'boolean' ? ['true', 'false'] : Array.isArray(schema.enum) ? schema.enum.map(String) : undefined
  if (choices !== undefined) {
    return (
      <select
        {...props} name={name} value={text} required={required}
        onChange={({ currentTarget }) => { onInput(currentTarget.value) }}
      >
        <option value=""/>
        {choices.map(choice => <option key={choice} value={choice}>{choice}</option>)}
      </select>
    )
  }
  if (content !== undefined) {
    return <Editor id={id} label={name} value={text} schema={schema} description={description} onInput={onInput}/>
  }
  if (isList) {
    return (
      <textarea
        {...props} name={name} rows={2} spellcheck={false} value={text}
        onInput={({ currentTarget }) => { onInput(currentTarget.value) }}
      />
    )
  }
  return (
    <input
      {...props} name={name} type="text" autocomplete="off" spellcheck={false} required={required} value={text}
      placeholder={schema.default === undefined ? '' : String(schema.default)}
      onInput={({ currentTarget }) => { onInput(currentTarget.value) }}
    />
  )
}
