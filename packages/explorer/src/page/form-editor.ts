/** The body of an operation that takes files: a field for each part of the form. */
import type { RequestBody, Schema } from '@fastback/ui/openapi'
import type { BodyEditor } from './body-editor.js'
import type { ApiDescription } from './description.js'
import { element } from './dom.js'
import { describedField, parameterField } from './inputs.js'

const type = 'multipart/form-data'

/** Whether a body is a form that may have files. */
export const isForm = (body: RequestBody): boolean => body.content[type] !== undefined

interface FormField { readonly label: HTMLElement, values (): Array<string | File> }

export function formEditor (body: RequestBody, id: string, description: ApiDescription): BodyEditor {
  const media = body.content[type]
  const { properties = {}, required = [] } = description.schema(media?.schema) as {
    readonly properties?: Readonly<Record<string, Schema>>
    readonly required?: readonly string[]
  }
  const fields = Object.entries(properties).map(([name, schema], index): readonly [string, FormField] => {
    const field = { name, required: required.includes(name), schema, id: `${id}-${index}` }
    return [name, isFile(schema)
      ? fileField(field, media?.encoding?.[name]?.contentType, description)
      : parameterField(
        { name, in: 'form', required: field.required, schema, ...described(schema) }, field.id, description
      )]
  })
  return {
    element: element('div', {}, ...fields.map(([, { label }]) => label)),
    value () {
      const form = new FormData()
      const parts = fields.flatMap(([name, field]) => field.values().map(value => [name, value] as const))
      // Fields stand before files: who reads the form knows them by then.
      for (const [name, value] of parts) if (typeof value === 'string') form.append(name, value)
      for (const [name, value] of parts) if (typeof value !== 'string') form.append(name, value)
      return form
    }
  }
}

const isFile = (schema: Schema): boolean => ((schema.items ?? schema) as Schema).format === 'binary'

const described = ({ description }: Schema): { description?: string } =>
  typeof description === 'string' ? { description } : {}

function fileField (
  { name, required, schema, id }: { name: string, required: boolean, schema: Schema, id: string },
  accept: string | undefined,
  description: ApiDescription
): FormField {
  const multiple = schema.type === 'array'
  const { maxLength } = (schema.items ?? schema) as { readonly maxLength?: number }
  const control = element('input', { type: 'file', multiple, accept })
  const limits = [
    described(schema).description,
    accept === undefined ? undefined : `Types: ${accept}.`,
    maxLength === undefined ? undefined : `At most ${maxLength.toLocaleString('en')} bytes${multiple ? ' each' : ''}.`
  ]
  return {
    label: describedField(control, {
      id, name, required, kind: `form, ${description.typeName(schema)}`, hint: limits.filter(each => each !== undefined).join(' ')
    }),
    values: () => [...control.files ?? []]
  }
}
