/** Responses that are files: to save, and to see where they are pictures. */
import { element } from './dom.js'

/** Pixels of a picture's longer side. */
const shownSide = 800

/** The name that the server gives the file; undefined where it gives none. */
export function fileName (headers: Headers): string | undefined {
  const disposition = headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded)
    } catch {
      // The plain name says it as well as it can.
    }
  }
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replaceAll(/\\(.)/g, '$1') ??
    /filename=([^;"\s]+)/i.exec(disposition)?.[1]
}

/** What the file is, with a link that saves it. */
export const saveLine = (file: Blob, type: string, name = 'answer'): HTMLElement =>
  element(
    'p',
    {},
    `${file.size} bytes of ${type}. `,
    element('a', { href: URL.createObjectURL(file), download: name }, 'Save')
  )

/**
 * The picture that a file is; undefined where it is none that the browser can draw. It is drawn, not loaded: so nothing
 * in it can run, and the page's policy stays as it is.
 */
export async function picture (file: Blob, type: string, name = 'the answer'): Promise<HTMLElement | undefined> {
  if (!type.startsWith('image/')) return undefined
  const drawn = await createImageBitmap(file).catch(() => undefined)
  if (drawn === undefined) return undefined
  const scale = Math.min(1, shownSide / Math.max(drawn.width, drawn.height))
  const canvas = element('canvas', {
    role: 'img',
    'aria-label': `Picture: ${name}`,
    width: Math.max(1, Math.round(drawn.width * scale)),
    height: Math.max(1, Math.round(drawn.height * scale))
  })
  canvas.getContext('2d')?.drawImage(drawn, 0, 0, canvas.width, canvas.height)
  drawn.close()
  return canvas
}
