/** Files of a row: those it has, to save or to take away, and others to send. */
import type { Editor, FieldParts } from './editor.js'
import { element, type Schema } from './explorer/shared.js'

interface FileReference { readonly id?: unknown, readonly name?: unknown, readonly size?: unknown }

export function fileField (parts: FieldParts): Editor {
  const { property: { name, schema }, current, model, context: { description } } = parts
  const media = (model.create ?? model.update)?.requestBody?.content['multipart/form-data']
  const part = (description.schema(media?.schema).properties as Record<string, Schema> | undefined)?.[name]
  const multiple = schema.type === 'array'
  const control = element('input', { type: 'file', multiple, accept: media?.encoding?.[name]?.contentType })
  const limit = Number(((part?.items ?? part) as Schema | undefined)?.maxLength ?? 0)
  const kept = [current ?? []].flat() as FileReference[]
  const there = kept.map(file => ({ file, ...fileLine(file, multiple, parts) }))
  return {
    control,
    beside: element('div', { class: 'files' },
      limit > 0 ? element('p', { class: 'hint' }, `At most ${limit.toLocaleString('en')} bytes.`) : undefined,
      ...there.map(({ line }) => line)),
    value: () => {
      const left = there.filter(({ isGone }) => !isGone()).map(({ file }) => file)
      if (multiple) return left.length === 0 && current === undefined ? undefined : left
      return left[0] ?? (current === undefined || current === null ? undefined : null)
    },
    files: () => [...control.files ?? []]
  }
}

interface FileLine { readonly line: HTMLElement, isGone (): boolean }

function fileLine (file: FileReference, multiple: boolean, parts: FieldParts): FileLine {
  const { model, property, context: { api, fail }, rowId } = parts
  const name = String(file.name ?? 'file')
  const gone = element('input', { type: 'checkbox' })
  const save = element('button', { type: 'button', class: 'small' }, `Save ${name}`)
  const action = model.fileOf(property.name)
  const fetched = async (): Promise<void> => {
    if (action === undefined) return
    const item = multiple ? { ...action, path: `${action.path}/${encodeURIComponent(String(file.id))}` } : action
    const answer = await api.open(item, { id: rowId }, '*/*')
    const address = URL.createObjectURL(await answer.blob())
    element('a', { href: address, download: name }).click()
    URL.revokeObjectURL(address)
  }
  save.addEventListener('click', () => { fetched().catch(fail) })
  return {
    line: element('p', { class: 'buttons' }, `${name}${typeof file.size === 'number' ? `, ${file.size} bytes` : ''}`,
      action === undefined ? undefined : save,
      element('label', { class: 'choice' }, gone, ` Take ${name} away`)),
    isGone: () => gone.checked
  }
}
