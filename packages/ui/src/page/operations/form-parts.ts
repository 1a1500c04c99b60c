/** The parts of a form that may have files in it. */
import type { RequestBody, Schema } from '../../contracts/openapi.js'
import type { ApiDescription } from '../api/description.js'

const type = 'multipart/form-data'

/** Whether a body is a form that may have files. */
export const isForm = (body: RequestBody): boolean => body.content[type] !== undefined

export interface FormPart {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  readonly isFile: boolean
  readonly multiple: boolean
  /** Media types of its files, as an input takes them. */
  readonly accept: string | undefined
  readonly hint: string
}

export function partsOf (body: RequestBody, description: ApiDescription): FormPart[] {
  const media = body.content[type]
  const { properties = {}, required = [] } = description.schema(media?.schema) as {
    readonly properties?: Readonly<Record<string, Schema>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, schema]) => {
    const items = (schema.items ?? schema) as Schema
    const isFile = items.format === 'binary'
    const multiple = schema.type === 'array'
    const accept = media?.encoding?.[name]?.contentType
    const hint = hintOf(schema, isFile, accept)
    return { name, schema, required: required.includes(name), isFile, multiple, accept, hint }
  })
}

function hintOf (schema: Schema, isFile: boolean, accept: string | undefined): string {
  const { maxLength } = (schema.items ?? schema) as { readonly maxLength?: number }
  const isList = schema.type === 'array'
  return [
    typeof schema.description === 'string' ? schema.description : '',
    !isFile && isList ? 'One value a line.' : '',
    isFile && accept !== undefined ? `Types: ${accept}.` : '',
    isFile && maxLength !== undefined ? `At most ${maxLength.toLocaleString('en')} bytes${isList ? ' each' : ''}.` : ''
  ].filter(text => text !== '').join(' ')
}

/** The form to send. Fields stand before files: who reads the form knows them by then. */
export function formOf (parts: readonly FormPart[], given: ReadonlyMap<string, readonly File[] | string>): FormData {
  const form = new FormData()
  for (const { name, isFile, multiple } of parts) {
    const text = given.get(name)
    if (isFile || typeof text !== 'string' || text === '') continue
    for (const line of multiple ? text.split('\n').filter(line => line !== '') : [text]) form.append(name, line)
  }
  for (const { name } of parts) {
    const files = given.get(name)
    if (typeof files === 'object') for (const file of files) form.append(name, file)
  }
  return form
}
