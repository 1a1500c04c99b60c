/** A response that is a file: to save, and to see where it is a picture. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../components/icon.js'
import type { SavedFile } from './result.js'

/** Pixels of a picture's longer side. */
const shownSide = 800

export function FileView ({ file: { blob, type, name } }: { readonly file: SavedFile }) {
  const [address, setAddress] = useState<string | undefined>(undefined)
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => { URL.revokeObjectURL(made) }
  }, [blob])
  return (
    <div class="file-view">
      <p>{blob.size} bytes of {type}. <a href={address} download={name} class="button"><Icon name="download"/>Save</a></p>
      {type.startsWith('image/') && <Picture blob={blob} name={name}/>}
    </div>
  )
}

/**
 * The picture that a file is, where the browser can draw it. It is drawn, not loaded: so nothing in it can run, and the
 * page's policy stays as it is.
 */
export function Picture ({ blob, name }: { readonly blob: Blob, readonly name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState<ImageBitmap | undefined>(undefined)
  useEffect(() => {
    let isThere = true
    createImageBitmap(blob).then(bitmap => { if (isThere) setDrawn(bitmap) }, () => { setDrawn(undefined) })
    return () => { isThere = false }
  }, [blob])
  useEffect(() => {
    if (drawn === undefined || canvas.current === null) return
    canvas.current.getContext('2d')?.drawImage(drawn, 0, 0, canvas.current.width, canvas.current.height)
  }, [drawn])
  if (drawn === undefined) return null
  const scale = Math.min(1, shownSide / Math.max(drawn.width, drawn.height))
  return (
    <canvas
      ref={canvas} role="img" aria-label={`Picture: ${name}`} width={Math.max(1, Math.round(drawn.width * scale))}
      height={Math.max(1, Math.round(drawn.height * scale))}
    />
  )
}
