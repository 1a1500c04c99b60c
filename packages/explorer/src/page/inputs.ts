/** Fields for the parameters of an operation. */
import type { Parameter, Schema } from '@fastback/ui/openapi'
import type { ApiDescription } from './description.js'
import { element, lazyDetails } from './dom.js'

/** A parameter, or a field of a form. */
export type Field = Omit<Parameter, 'in'> & { readonly in: Parameter['in'] | 'form' }

export interface ParameterField {
  readonly parameter: Field
  readonly label: HTMLElement
  /** The texts to send; none when the field is empty. */
  values (): string[]
}

export function parameterField (parameter: Field, id: string, description: ApiDescription): ParameterField {
  const { name, required = false, in: place } = parameter
  const written = parameter.schema ?? parameter.content?.['application/json']?.schema
  const schema = description.schema(written)
  const isList = schema.type === 'array'
  const control = controlFor(parameter, schema, description)
  if (required && place === 'path') control.setAttribute('required', '')
  const hint = [parameter.description, isList ? 'One value a line.' : undefined]
    .filter(text => text !== undefined)
    .join(' ')
  const labelled = describedField(control, { id, name, required, kind: `${place}, ${description.typeName(written)}`, hint })
  const label = builtFrom(written) === undefined || place !== 'query' ? labelled : withBuilder(labelled, control, written as Schema, id, description)
  return {
    parameter,
    label,
    values: () =>
      control.value === '' ? [] : isList ? control.value.split('\n').filter(line => line !== '') : [control.value]
  }
}

/** What the builder makes is written into the field. */
function withBuilder (
  label: HTMLElement, control: Control, schema: Schema, id: string, description: ApiDescription
): HTMLElement {
  label.append(builtLater('Build', false, async () => (await import('./filter-builder.js')).filterBuilder(
    schema, id, description, json => {
      control.value = json
      control.dispatchEvent(new Event('input', { bubbles: true }))
    }
  )))
  return label
}

/** What is loaded when it is opened; it goes where there turns out to be nothing. */
export function builtLater (
  title: string, open: boolean, build: () => Promise<HTMLElement | undefined>
): HTMLDetailsElement {
  const place = lazyDetails({ class: 'nested', open }, [title], () => {
    const shown = element('div', {})
    build().then(built => {
      if (built === undefined) place.remove()
      else shown.replaceChildren(built)
    }).catch((error: unknown) => { shown.textContent = String(error) })
    return [shown]
  })
  return place
}

/** The component that a filter can be built of: `NoteFilter`, `NoteWhere`. */
export function builtFrom (schema: Schema | undefined): { model: string, kind: string } | undefined {
  const [, model, kind] = /\/([\w.-]+?)(ByIdFilter|Filter|Where)$/.exec(String(schema?.$ref ?? '')) ?? []
  return model === undefined || kind === undefined ? undefined : { model, kind }
}

/**
 * A control with what there is to say of it.
 *
 * ```js
 * const field = { id: 'title', name: 'title', required: true, kind: 'string', hint: '' }
 * form.append(describedField(element('input', {}), field))
 * ```
 */
export function describedField (
  control: Control,
  { id, name, required, kind, hint }: { id: string, name: string, required: boolean, kind: string, hint: string }
): HTMLElement {
  control.id = id
  control.setAttribute('name', name)
  if (hint !== '') control.setAttribute('aria-describedby', `${id}-hint`)
  return element(
    'div',
    { class: 'parameter' },
    element(
      'label',
      { for: id },
      name,
      required ? element('span', { class: 'required', title: 'required' }, ' *') : undefined
    ),
    element('span', { class: 'kind' }, kind),
    control,
    hint === '' ? undefined : element('p', { id: `${id}-hint`, class: 'hint' }, hint)
  )
}

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function controlFor ({ content }: Field, schema: Schema, description: ApiDescription): Control {
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
