/** A body without JSON: a field for each property that is a text, a number, a date, a choice or a list of those. */
import type { Schema } from '@fastback/ui/openapi'
import type { ApiDescription } from './description.js'
import { element } from './dom.js'
import { describedField } from './inputs.js'
import { editorOf } from './value-editors.js'

type Row = Readonly<Record<string, unknown>>

interface BodyField {
  readonly name: string
  readonly element: HTMLElement
  show (value: unknown): void
}

/**
 * Fields and the JSON show the same: what is typed in a field is written into the JSON at once, and the other way
 * round. What no field can hold stays as it is there.
 *
 * @param area the field with the JSON
 * @returns undefined where the body has no such properties
 */
export function bodyFields (
  schema: Schema | undefined, id: string, description: ApiDescription, area: HTMLTextAreaElement
): HTMLElement | undefined {
  const { properties, required } = shapeOf(schema, description)
  const fields = Object.entries(properties).flatMap(([name, each], index) => {
    const field = { name, schema: each, required: required.includes(name), id: `${id}-field-${index}` }
    const made = bodyField(field, description, value => { write(area, name, value) })
    return made === undefined ? [] : [made]
  })
  if (fields.length === 0) return undefined
  const names = fields.map(({ name }) => name)
  const others = Object.keys(properties).filter(name => !names.includes(name))
  const show = (): void => {
    const row = rowIn(area.value)
    if (row !== undefined) for (const field of fields) field.show(row[field.name])
  }
  area.addEventListener('input', show)
  show()
  return element('div', { class: 'fields', role: 'group', 'aria-label': 'Fields' },
    ...fields.map(field => field.element),
    others.length === 0 ? undefined : element('p', { class: 'hint' }, `As JSON, below: ${others.join(', ')}`))
}

/** The properties of an object; of several schemas, those of the first that has some. */
function shapeOf (
  schema: Schema | undefined, description: ApiDescription
): { properties: Readonly<Record<string, Schema>>, required: readonly string[] } {
  const found = description.schema(schema)
  const branch = ((found.anyOf ?? []) as Schema[])
    .map(each => description.schema(each)).find(each => each.properties !== undefined)
  const { properties = {}, required = [] } = (found.properties === undefined ? branch ?? {} : found) as {
    readonly properties?: Readonly<Record<string, Schema>>, readonly required?: readonly string[]
  }
  return { properties, required }
}

function bodyField (
  { name, schema, required, id }: { name: string, schema: Schema, required: boolean, id: string },
  description: ApiDescription,
  write: (value: unknown) => void
): BodyField | undefined {
  const editor = editorOf(name, schema)
  if (editor === undefined) return undefined
  const { control, hint } = editor
  const about = [schema.description, hint].filter(text => typeof text === 'string').join(' ')
  const place = describedField(control, { id, name, required, kind: description.typeName(schema), hint: about })
  // The field has a name for people only: what is sent is the JSON.
  control.removeAttribute('name')
  let shown: unknown
  control.addEventListener('input', event => {
    event.stopPropagation()
    shown = editor.valueOf(control.value)
    write(shown)
  })
  return {
    name,
    element: place,
    show (value) {
      // What is being typed is left alone: it may be half a number, or a line that has just begun.
      if (JSON.stringify(value) === JSON.stringify(shown)) return
      shown = value
      control.value = value === undefined || value === null ? '' : editor.textOf(value)
    }
  }
}

/** Puts a value into the JSON, or takes it away; JSON that is none is left alone. */
function write (area: HTMLTextAreaElement, name: string, value: unknown): void {
  const row = rowIn(area.value)
  if (row === undefined) return
  const { [name]: _, ...others } = row
  area.value = JSON.stringify(value === undefined ? others : { ...row, [name]: value }, null, 2)
  area.dispatchEvent(new Event('input', { bubbles: true }))
}

function rowIn (text: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value as Row : undefined
  } catch {
    return undefined
  }
}
