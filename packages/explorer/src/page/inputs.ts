/** Fields for the parameters of an operation. */
import type { Parameter, Schema } from '../document/types.js'
import type { ApiDescription } from './description.js'
import { element } from './dom.js'

export interface ParameterField {
  readonly parameter: Parameter
  readonly label: HTMLElement
  /** The texts to send; none when the field is empty. */
  values (): string[]
}

export function parameterField (parameter: Parameter, id: string, description: ApiDescription): ParameterField {
  const { name, required = false, in: place } = parameter
  const written = parameter.schema ?? parameter.content?.['application/json']?.schema
  const schema = description.schema(written)
  const isList = schema.type === 'array'
  const control = controlFor(parameter, schema, description)
  control.id = id
  control.setAttribute('name', name)
  if (required && place === 'path') control.setAttribute('required', '')
  const hint = [parameter.description, isList ? 'One value a line.' : undefined]
    .filter(text => text !== undefined)
    .join(' ')
  if (hint !== '') control.setAttribute('aria-describedby', `${id}-hint`)
  const label = element(
    'div',
    { class: 'parameter' },
    element(
      'label',
      { for: id },
      name,
      required ? element('span', { class: 'required', title: 'required' }, ' *') : undefined
    ),
    element('span', { class: 'kind' }, `${place}, ${description.typeName(written)}`),
    control,
    hint === '' ? undefined : element('p', { id: `${id}-hint`, class: 'hint' }, hint)
  )
  return {
    parameter,
    label,
    values: () =>
      control.value === '' ? [] : isList ? control.value.split('\n').filter(line => line !== '') : [control.value]
  }
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function controlFor ({ content }: Parameter, schema: Schema, description: ApiDescription): Control {
  const choices =
    schema.type === 'boolean' ? ['true', 'false'] : Array.isArray(schema.enum) ? schema.enum.map(String) : undefined
  if (choices !== undefined) {
    return element(
      'select',
      {},
      element('option', { value: '' }, ''),
      ...choices.map(value => element('option', { value }, value))
    )
  }
  if (content !== undefined || schema.type === 'array') {
    const example = content === undefined ? undefined : description.example(schema)
    return element('textarea', {
      rows: 2,
      spellcheck: 'false',
      placeholder: example === undefined ? undefined : JSON.stringify(example)
    })
  }
  return element('input', {
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: schema.default === undefined ? undefined : String(schema.default)
  })
}
