/** Uploads that go on after a cut (tus 1.0), for forms that are sent to models which take them. */
import { upload } from './upload.js'

type Headers = Readonly<Record<string, string>>

const bytes = 'application/offset+octet-stream'
const version = { 'Tus-Resumable': '1.0.0' }

/** The uploads of one form: a file that is sent again goes on where it was. */
export class ResumableUploads {
  /** Addresses of uploads that have begun, by their files. */
  readonly #begun = new Map<string, string>()

  /**
   * Sends files one after the other; gives the last response.
   * @param url where uploads begin
   * @param onProgress is told the share of all bytes that is there, from 0 to 1
   * @throws DOMException AbortError; TypeError where the connection breaks
   */
  async send (
    url: string, files: readonly File[], headers: Headers, signal: AbortSignal, onProgress: (share: number) => void
  ): Promise<Response> {
    const total = files.reduce((sum, { size }) => sum + size, 0)
    let before = 0
    let response: Response | undefined
    for (const file of files) {
      response = await this.#sendOne(url, file, { ...headers, ...version }, signal, sent => {
        onProgress(total === 0 ? 1 : (before + sent) / total)
      })
      if (!response.ok) return response
      before += file.size
    }
    if (response === undefined) throw new Error('Choose a file first.')
    return response
  }

  async #sendOne (
    url: string, file: File, headers: Headers, signal: AbortSignal, onProgress: (sent: number) => void
  ): Promise<Response> {
    const key = `${url} ${file.name} ${file.size} ${file.lastModified}`
    let address = this.#begun.get(key)
    let response = address === undefined ? undefined : await fetch(address, { method: 'HEAD', headers, signal })
    if (address === undefined || response === undefined || !response.ok) {
      response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'Upload-Length': String(file.size), 'Upload-Metadata': metadataOf(file) },
        signal
      })
      if (!response.ok) return response
      address = new URL(response.headers.get('location') ?? '', new URL(url, window.location.href)).href
      this.#begun.set(key, address)
    }
    for (let tries = 0; response.headers.get('upload-file') === null; tries++) {
      const offset = Number(response.headers.get('upload-offset') ?? 0)
      onProgress(offset)
      response = await upload(
        {
          url: address,
          method: 'PATCH',
          headers: { ...headers, 'Upload-Offset': String(offset), 'Content-Type': bytes },
          body: file.slice(offset)
        },
        signal,
        share => { onProgress(offset + share * (file.size - offset)) }
      )
      // Browsers send a request again by themselves when a connection broke that they had used before: then more bytes
      // are there than the page knows of.
      if (response.status !== 409 || tries === 3) break
      const state = await fetch(address, { method: 'HEAD', headers, signal })
      if (!state.ok) break
      response = state
    }
    // What is over is not gone on with: the same file may be sent once more.
    if (response.ok) this.#begun.delete(key)
    return response
  }
}

function metadataOf ({ name, type }: File): string {
  const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
  return `filename ${base64(name)}${type === '' ? '' : `,filetype ${base64(type)}`}`
}
