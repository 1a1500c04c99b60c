// An upload that goes on after a cut (tus 1.0): it begins with POST, bytes go with PATCH, HEAD tells how many arrived.
import { ApiError, authorization } from './api.js'

/** Bytes of one request. */
const partSize = 4 * 1024 * 1024

const version = { 'tus-resumable': '1.0.0' }

/** Text as Base64, beyond ASCII too. @param {string} text */
const base64 = text => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

export class ResumableUpload {
  /** @type {XMLHttpRequest | undefined} */
  #sending
  #address
  #isStopped = false
  #key

  /**
   * @param {string} url where uploads begin
   * @param {File} file
   * @param {(bytes: number) => void} onProgress
   */
  constructor (url, file, onProgress) {
    this.url = url
    this.file = file
    this.onProgress = onProgress
    // A file that is chosen again, also after the page was closed, goes on where it was.
    this.#key = `upload ${url} ${file.name} ${file.size} ${file.lastModified}`
    this.#address = localStorage.getItem(this.#key)
  }

  /** Sends what is not there yet. Rejects where the connection breaks: call it again to go on. */
  async send () {
    this.#isStopped = false
    for (let offset = await this.#offset(), tries = 0; ;) {
      this.onProgress(offset)
      if (offset === this.file.size) break
      const next = await this.#patch(offset)
      if (next === undefined && ++tries > 3) throw new Error('Somebody else sends this file.')
      offset = next ?? await this.#offset()
    }
    localStorage.removeItem(this.#key)
  }

  stop () {
    this.#isStopped = true
    this.#sending?.abort()
  }

  /** Stops, and tells the server that it will not go on. */
  async cancel () {
    this.stop()
    localStorage.removeItem(this.#key)
    if (this.#address !== null) await this.#request('DELETE', this.#address, {})
  }

  /** How many bytes are there. */
  async #offset () {
    if (this.#address !== null) {
      const { status, header } = await this.#request('HEAD', this.#address, {})
      if (status < 300) return Number(header('upload-offset'))
      if (status !== 404) throw new ApiError(status, `The server answered ${status}.`)
    }
    const { name, type, size } = this.file
    const metadata = `filename ${base64(name)},filetype ${base64(type === '' ? 'application/octet-stream' : type)}`
    const { status, header, message } = await this.#request('POST', this.url, {
      'upload-length': String(size), 'upload-metadata': metadata
    })
    if (status !== 201) throw new ApiError(status, message())
    this.#address = new URL(header('location') ?? '', new URL(this.url, window.location.href)).href
    localStorage.setItem(this.#key, this.#address)
    return 0
  }

  /**
   * Sends the next bytes. Gives the new offset; undefined where more of them arrived than the page knew: browsers send
   * a request again by themselves when a connection broke that they had used before.
   * @param {number} offset
   */
  async #patch (offset) {
    const part = this.file.slice(offset, offset + partSize)
    const { status, header, message } = await this.#request('PATCH', this.#address ?? '', {
      'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream'
    }, part, bytes => { this.onProgress(offset + bytes) }).catch(error => {
      // What the browser has taken may not have arrived.
      this.onProgress(offset)
      throw error
    })
    if (status === 409) return undefined
    if (status >= 300) throw new ApiError(status, message())
    return Number(header('upload-offset'))
  }

  /**
   * An XMLHttpRequest, since fetch does not tell how far it is.
   * @param {string} method
   * @param {string} url
   * @param {Record<string, string>} headers
   * @param {Blob} [body]
   * @param {(bytes: number) => void} [onProgress]
   * @returns {Promise<{ status: number, header: (name: string) => string | null, message: () => string }>}
   */
  #request (method, url, headers, body, onProgress) {
    return new Promise((resolve, reject) => {
      const request = new window.XMLHttpRequest()
      request.open(method, url)
      for (const [name, value] of Object.entries({ ...version, ...authorization(), ...headers })) {
        request.setRequestHeader(name, value)
      }
      request.upload.onprogress = ({ loaded }) => onProgress?.(loaded)
      request.onload = () => {
        const { status } = request
        resolve({ status, header: name => request.getResponseHeader(name), message: () => messageOf(request) })
      }
      request.onerror = () => { reject(new TypeError('The connection failed.')) }
      request.onabort = () => { reject(new DOMException('Stopped.', 'AbortError')) }
      this.#sending = request
      request.send(body ?? null)
      if (this.#isStopped && body !== undefined) request.abort()
    })
  }
}

/** @param {XMLHttpRequest} request */
function messageOf ({ status, responseText }) {
  try {
    return JSON.parse(responseText).error.message
  } catch {
    return `The server answered ${status}.`
  }
}
