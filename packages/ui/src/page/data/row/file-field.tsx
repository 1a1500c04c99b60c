/** Files of a row: those it has, to save or to take away, and others to send, chosen or dropped. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Schema } from '../../../contracts/openapi.js'
import { Button } from '../../components/button.js'
import { useData } from '../data-part.js'
import { downloadBlob } from '../transfer/download.js'
import type { FileDraft, FileReference } from './draft.js'
import { Picture } from './picture.js'
import { fileAction, sizeText } from './stored-file.js'
import type { Attributes } from './text-control.js'

export function FileControl ({ draft, attributes, rowId }: {
  readonly draft: FileDraft, readonly attributes: Attributes, readonly rowId: unknown
}) {
  const { description } = useData()
  const isOver = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  const { multiple, there, added, parts: { model, property: { name } } } = draft
  useEffect(() => {
    // What was sent is not sent again.
    if (input.current !== null) input.current.value = ''
  }, [draft])
  const media = (model.create ?? model.update)?.requestBody?.content['multipart/form-data']
  const part = (description.schema(media?.schema).properties as Record<string, Schema> | undefined)?.[name]
  const limit = Number(((part?.items ?? part) as Schema | undefined)?.maxLength ?? 0)
  const take = (files: FileList | null | undefined): void => {
    const all = [...files ?? []]
    added.value = multiple ? all : all.slice(0, 1)
  }
  return (
    <div
      class={`drop ${isOver.value ? 'over' : ''}`}
      onDragOver={event => {
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={() => { isOver.value = false }}
      onDrop={event => {
        event.preventDefault()
        isOver.value = false
        take(event.dataTransfer?.files)
        if (input.current !== null && event.dataTransfer !== null) input.current.files = event.dataTransfer.files
      }}
    >
      {there.map((file, index) => <StoredFile key={index} draft={draft} file={file} index={index} rowId={rowId}/>)}
      <input
        type="file" ref={input} multiple={multiple} accept={media?.encoding?.[name]?.contentType}
        onChange={({ currentTarget }) => { take(currentTarget.files) }} {...attributes}
      />
      <p class="hint">
        {added.value.length > 0
          ? added.value.map(file => `${file.name}, ${sizeText(file.size)}`).join('; ')
          : `Choose ${multiple ? 'files' : 'a file'}, or drop ${multiple ? 'them' : 'it'} here.${limit > 0 ? ` At most ${sizeText(limit)}.` : ''}`}
      </p>
    </div>
  )
}

function StoredFile ({ draft, file, index, rowId }: {
  readonly draft: FileDraft, readonly file: FileReference, readonly index: number, readonly rowId: unknown
}) {
  const { api, toasts } = useData()
  const { removed, multiple, parts: { model, property } } = draft
  const name = String(file.name ?? 'file')
  const action = fileAction(model, property.name, multiple ? file : undefined)
  const save = (): void => {
    if (action === undefined) return
    api.open(action, { id: rowId }, '*/*').then(async response => { downloadBlob(await response.blob(), name) })
      .catch((error: unknown) => { toasts.fail(error) })
  }
  return (
    <div class="stored-file">
      <Picture model={model} property={property.name} rowId={rowId} file={file} multiple={multiple}/>
      <span>{`${name}${typeof file.size === 'number' ? `, ${sizeText(file.size)}` : ''}`}</span>
      {action !== undefined && <Button kind="quiet" icon="download" onClick={save}>{`Save ${name}`}</Button>}
      <label class="check">
        <input
          type="checkbox" checked={removed.value.has(index)}
          onChange={({ currentTarget }) => {
            const now = new Set(removed.peek())
            if (currentTarget.checked) now.add(index)
            else now.delete(index)
            removed.value = now
          }}
        /> Take {name} away
      </label>
    </div>
  )
}
