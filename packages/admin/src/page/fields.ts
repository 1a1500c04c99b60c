/** Fields of a form, by what the description says of their values. */
import { emptied, FieldError, type Editor, type FieldParts } from './editor.js'
import { element, type Schema } from './explorer/shared.js'
import { fileField } from './file-field.js'
import { frame } from './frame.js'
import { jsonField } from './json-field.js'
import { listPicker, picker } from './picker.js'
import { polymorphicField } from './polymorphic-field.js'

export interface FormField {
  /** The properties that it is about: their values are sent together. */
  readonly properties: readonly string[]
  readonly element: HTMLElement
  /**
   * What to send; undefined for nothing.
   * @throws FieldError where it cannot be sent
   */
  values (): Record<string, unknown>
  /** Files to send beside. */
  files (): File[]
  focus (): void
  /** Shows what is wrong with one of the properties. */
  complain (text: string, property: string): void
  /** Takes back what was said. */
  clear (): void
}

/** The fields of a form: one for each property, but one for both that make the key of a polymorphic relation. */
export function formFields (all: readonly FieldParts[]): FormField[] {
  const pairs = all.flatMap(parts => {
    const facts = parts.model.keyIn(parts.property.name)
    const named = all.find(({ property }) => property.name === facts?.discriminator)
    return facts === undefined || named === undefined ? [] : [{ parts, named, facts }]
  })
  return all.filter(parts => !pairs.some(({ named }) => named === parts)).map(parts => {
    const pair = pairs.find(each => each.parts === parts)
    return pair === undefined ? formField(parts) : polymorphicField(parts, pair.named, pair.facts)
  })
}

function formField (parts: FieldParts): FormField {
  const { property, id, model, context: { description } } = parts
  const { name, schema, written, required } = property
  const editor = editorFor(parts)
  const about = typeof schema.description === 'string' ? schema.description.replace(/(?<![.!?:])$/, '.') : ''
  const hint = [about, limitsOf(schema)].filter(text => text !== '').join(' ')
  const keys = model.keyIn(name)
  const kind = keys?.discriminator === undefined && keys?.to[0] !== undefined
    ? `${keys.many ? 'rows' : 'a row'} of ${keys.to[0].model}`
    : description.typeName(written)
  const { element: place, complain } = frame(editor.control, editor.beside, { id, name, required, kind, hint })
  return {
    properties: [name],
    element: place,
    values: () => ({ [name]: editor.value() }),
    files: () => editor.files?.() ?? [],
    focus: () => { editor.control.focus() },
    complain,
    clear: () => { complain('') }
  }
}

function limitsOf (schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, pattern } = schema
  return [
    minLength === undefined ? '' : `At least ${String(minLength)} characters.`,
    maxLength === undefined ? '' : `At most ${String(maxLength)} characters.`,
    minimum === undefined ? '' : `At least ${String(minimum)}.`,
    maximum === undefined ? '' : `At most ${String(maximum)}.`,
    pattern === undefined ? '' : `Fits ${String(pattern)}.`
  ].filter(text => text !== '').join(' ')
}

function editorFor (parts: FieldParts): Editor {
  const { property, model } = parts
  const { name, schema } = property
  if (model.facts.files.includes(name)) return fileField(parts)
  const keys = model.keyIn(name)
  const to = keys?.discriminator === undefined ? keys?.to[0] : undefined
  if (to !== undefined) return keys?.many === true ? listPicker(parts, to) : picker(parts, to)
  if (Array.isArray(schema.enum)) return choice(parts, schema.enum as unknown[])
  if (schema.type === 'boolean') return choice(parts, [true, false], value => value === true ? 'yes' : 'no')
  if (schema.type === 'number' || schema.type === 'integer' || schema.format === 'int64') return numberField(parts)
  if (schema.format === 'date-time') return dateField(parts)
  if (schema.type === 'string') return textField(parts)
  return jsonField(parts)
}

function choice (parts: FieldParts, values: readonly unknown[], textOf: (value: unknown) => string = String): Editor {
  const { current, property } = parts
  const mayBeEmpty = property.nullable || current === undefined || current === null
  const control = element('select', {},
    ...mayBeEmpty ? [element('option', { value: '' }, '')] : [],
    ...values.map((value, index) => element('option', { value: index, selected: value === current }, textOf(value))))
  return { control, value: () => control.value === '' ? emptied(parts) : values[Number(control.value)] }
}

function numberField (parts: FieldParts): Editor {
  const { current, property: { schema } } = parts
  const control = element('input', {
    type: 'text', inputmode: schema.type === 'integer' ? 'numeric' : 'decimal', autocomplete: 'off',
    value: current === undefined || current === null ? '' : String(current)
  })
  return {
    control,
    value: () => {
      const text = control.value.trim()
      if (text === '') return emptied(parts)
      const value = Number(text)
      if (!Number.isFinite(value)) throw new FieldError('must be a number')
      if (schema.type === 'integer' && !Number.isInteger(value)) throw new FieldError('must be a whole number')
      // More digits than a number holds stay as they are typed.
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value
    }
  }
}

/** Dates in the zone of who looks; the API has them in UTC. */
function dateField (parts: FieldParts): Editor {
  const { current } = parts
  const moment = typeof current === 'string' ? new Date(current) : undefined
  const hasParts = moment !== undefined && moment.getTime() % 1000 !== 0
  const control = element('input', { type: 'datetime-local', step: hasParts ? '0.001' : '1' })
  if (moment !== undefined && !Number.isNaN(moment.getTime())) {
    control.value = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, -1)
  }
  return {
    control,
    value: () => {
      if (control.validity.badInput) throw new FieldError('must be a whole date, with its time')
      if (control.value === '') return emptied(parts)
      const value = new Date(control.value).toISOString()
      return moment?.toISOString() === value ? current : value
    }
  }
}

function textField (parts: FieldParts): Editor {
  const { current, property: { name, schema } } = parts
  const text = typeof current === 'string' ? current : ''
  const isLong = text.includes('\n') || text.length > 100 || Number(schema.maxLength ?? 0) > 255
  const isSecret = name === 'password' || schema.format === 'password'
  const control = isLong && !isSecret
    ? element('textarea', { rows: 5 }, text)
    : element('input', {
      type: isSecret ? 'password' : schema.format === 'email' ? 'email' : 'text',
      autocomplete: isSecret ? 'new-password' : 'off',
      value: text
    })
  return {
    control,
    value: () => control.value !== '' ? control.value : typeof current === 'string' ? emptyText(parts) : undefined
  }
}

/** An emptied text is null where that may be, as the property may ask for some characters. */
const emptyText = ({ property, current }: FieldParts): unknown => current === '' ? '' : property.nullable ? null : ''
