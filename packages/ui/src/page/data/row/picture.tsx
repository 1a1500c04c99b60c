/**
 * A small picture of a stored file, drawn on a canvas: the page's policy lets no image through that is not a file of
 * the page, and nothing of a file can run there.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../components/icon.js'
import { useData } from '../data-part.js'
import type { DataModel } from '../models/models.js'
import type { FileReference } from './draft.js'
import { fileAction } from './stored-file.js'

/** Bytes of a file that is read for its picture. */
const most = 2 * 1024 * 1024
const isImage = ({ type, size }: FileReference): boolean =>
  typeof type === 'string' && /^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(type) && Number(size ?? 0) <= most

/** Pixels of its longer side. */
const side = 96

export function Picture ({ model, property, rowId, file, multiple }: {
  readonly model: DataModel
  readonly property: string
  readonly rowId: unknown
  readonly file: FileReference
  readonly multiple: boolean
}) {
  const { api } = useData()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  const action = fileAction(model, property, multiple ? file : undefined)
  useEffect(() => {
    const target = canvas.current
    if (target === null || action === undefined || !isImage(file)) return
    const ended = new AbortController()
    const draw = async (): Promise<void> => {
      const response = await api.open(action, { id: rowId }, 'image/*', ended.signal)
      const image = await createImageBitmap(await response.blob())
      const scale = Math.min(1, side / Math.max(image.width, image.height))
      target.width = Math.max(1, image.width * scale)
      target.height = Math.max(1, image.height * scale)
      target.getContext('2d')?.drawImage(image, 0, 0, target.width, target.height)
      image.close()
      setDrawn(true)
    }
    const observer = new IntersectionObserver(entries => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      draw().catch(() => { /* The icon stays. */ })
    })
    observer.observe(target.parentElement ?? target)
    return () => {
      observer.disconnect()
      ended.abort()
    }
  }, [model, property, rowId, file.id, file.name])
  return (
    <span class="picture">
      <canvas ref={canvas} hidden={!isDrawn} aria-hidden="true"/>
      {!isDrawn && <Icon name={isImage(file) ? 'image' : 'file'}/>}
    </span>
  )
}
