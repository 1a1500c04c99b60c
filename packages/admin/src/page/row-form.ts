/** The form of a row: a field for each property, and every violation at its field. */
import { RefusedError } from './api.js'
import type { Context } from './context.js'
import { FieldError } from './editor.js'
import { element, type Action } from './explorer/shared.js'
import { formFields, type FormField } from './fields.js'
import { valueOf, type AdminModel, type Row } from './models.js'

export interface FormParts {
  readonly model: AdminModel
  /** The operation that the form is for. */
  readonly action: Action
  /** The row as it is; undefined for a new one. */
  readonly row: Row | undefined
  readonly rowId: unknown
  readonly context: Context
  /** Text of the button that sends. */
  readonly send: string
  /** Sends what was typed; what it throws is shown. */
  save (body: unknown): Promise<void>
}

export function rowForm (parts: FormParts, ...buttons: HTMLElement[]): HTMLFormElement {
  const { model, action, row, rowId, context, send } = parts
  const properties = model.fieldsOf(action)
    .filter(({ name, schema }) => schema.readOnly !== true && (row === undefined || name !== model.facts.id))
  const fields = formFields(properties.map((property, index) => ({
    property,
    id: `field-${index}`,
    current: valueOf(row ?? model.facts.defaults, property.name),
    model,
    context,
    rowId
  })))
  const error = element('p', { class: 'error', role: 'alert', hidden: true })
  const submit = element('button', { type: 'submit' }, send)
  const form = element('form', { class: 'row-form', novalidate: true },
    error, ...fields.map(field => field.element), element('p', { class: 'buttons' }, submit, ...buttons))
  const complain = (text: string): void => {
    error.textContent = text
    error.hidden = text === ''
  }
  form.addEventListener('submit', event => {
    event.preventDefault()
    submit.disabled = true
    sent().catch(context.fail).finally(() => { submit.disabled = false })
  })
  return form

  async function sent (): Promise<void> {
    complain('')
    for (const field of fields) field.clear()
    const values = read(fields, row)
    if (values === undefined) return
    const files = fields.flatMap(field =>
      field.files().map((file): [string, File] => [field.properties[0] as string, file]))
    if (row !== undefined && Object.keys(values).length === 0 && files.length === 0) {
      complain('Nothing was changed.')
      return
    }
    try {
      await parts.save(bodyOf(values, files))
    } catch (failed) {
      if (!(failed instanceof RefusedError)) throw failed
      complain(told(failed, fields))
      const first = form.querySelector<HTMLElement>('[aria-invalid=true]')
      if (first === null) submit.disabled = false
      ;(first ?? submit).focus()
    }
  }
}

/** The values to send: of a row that is there, those that changed. Undefined where one cannot be sent. */
function read (fields: readonly FormField[], row: Row | undefined): Record<string, unknown> | undefined {
  const faulty: FormField[] = []
  const isSame = ([name, value]: [string, unknown]): boolean =>
    row !== undefined && JSON.stringify(value ?? null) === JSON.stringify(valueOf(row, name) ?? null)
  const values = fields.flatMap((field): Array<[string, unknown]> => {
    try {
      const entries = Object.entries(field.values())
      // A file that is sent takes the place of the one that was there.
      const isReplaced = field.files().length > 0 && !entries.some(([, value]) => Array.isArray(value))
      return entries.every(isSame) || isReplaced ? [] : entries.filter(([, value]) => value !== undefined)
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      field.complain(error.message, field.properties[0] as string)
      faulty.push(field)
      return []
    }
  })
  faulty[0]?.focus()
  return faulty.length > 0 ? undefined : Object.fromEntries(values)
}

/** With files a form, in which the row is JSON. */
function bodyOf (values: Record<string, unknown>, files: ReadonlyArray<[string, File]>): unknown {
  if (files.length === 0) return values
  const form = new FormData()
  form.append('data', JSON.stringify(values))
  for (const [name, file] of files) form.append(name, file)
  return form
}

/** Puts the violations at their fields; what belongs to none is said at the top. */
function told ({ violations, message }: RefusedError, fields: readonly FormField[]): string {
  if (violations.length === 0) return message
  const texts = new Map<string, string[]>()
  const others: string[] = []
  const fieldOf = (property: string): FormField | undefined =>
    fields.find(({ properties }) => properties.includes(property))
  for (const { property, message: text } of violations) {
    if (property === undefined || fieldOf(property) === undefined) {
      others.push([property, text].filter(Boolean).join(' '))
    } else texts.set(property, [...texts.get(property) ?? [], text])
  }
  for (const [property, all] of texts) fieldOf(property)?.complain(`${property} ${all.join('; ')}`, property)
  const count = texts.size
  return [count === 0 ? '' : `${count === 1 ? 'One field is' : `${count} fields are`} not right.`, ...others]
    .filter(text => text !== '').join(' ')
}
