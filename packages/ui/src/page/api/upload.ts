/** Sends a form, or bytes, and tells how far it is, which fetch cannot. */

export interface Upload {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: FormData | Blob
}

/**
 * Sends it; the response is as that of `fetch`.
 *
 * ```js
 * const request = { url, method: 'POST', headers: {}, body: form }
 * const response = await upload(request, aborter.signal, share => { bar.value = share })
 * ```
 * @param onProgress is told the share of the body that is sent, from 0 to 1
 * @throws DOMException AbortError; TypeError where no response comes
 */
export async function upload (
  { url, method, headers, body }: Upload, signal: AbortSignal, onProgress: (share: number) => void
): Promise<Response> {
  const request = new XMLHttpRequest()
  const abort = (): void => { request.abort() }
  try {
    return await new Promise<Response>((resolve, reject) => {
      request.open(method, url)
      request.responseType = 'blob'
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
        if (lengthComputable) onProgress(loaded / total)
      }
      request.onload = () => { resolve(responseOf(request)) }
      request.onerror = () => { reject(new TypeError('the connection failed')) }
      request.onabort = () => { reject(signal.reason as DOMException) }
      signal.addEventListener('abort', abort)
      request.send(body)
    })
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function responseOf (request: XMLHttpRequest): Response {
  const { status, statusText } = request
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const hasBody = ![204, 205, 304].includes(status)
  return new Response(hasBody ? request.response as Blob : null, { status, statusText, headers })
}
