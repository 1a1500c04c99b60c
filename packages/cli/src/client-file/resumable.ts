/** The part of a client that uploads what goes on after a cut (tus 1.0), where the API takes that. */

export const resumableTypes = `/** Options of a resumable upload. \`onProgress\` is called everywhere, in Node after each request. */
export interface ResumableOptions extends CallOptions {
  /** Goes on with an upload that was begun before, by what \`onBegin\` was told. */
  readonly upload?: string
  /** Is told what the upload is known by, to be kept for \`upload\`. */
  readonly onBegin?: (upload: string) => void
  /** Bytes of one request. Default: 8 MiB. */
  readonly chunkSize?: number
  /** How often it goes on by itself, without a byte that arrived in between. Default: 5. */
  readonly retries?: number
}`

export const resumableFunctions = `async function uploadResumable (client: ClientOptions, [, path, places]: Entry, given: unknown[]): Promise<{ name: string }> {
  const [parameters, { file }, options = {}] = given as [Record<string, unknown>, { readonly file: Blob & { readonly name?: string } }, ResumableOptions?]
  const { headers: own, signal, onResponse, onProgress, onBegin, chunkSize = 8 * 1024 * 1024, retries = 5 } = options
  const total = file.size
  const ask = async (method: string, headersOfStep: Record<string, string>, upload?: string, body?: Blob, tell?: CallOptions['onProgress']): Promise<Response> => {
    const headers = await headersOf(client, 'application/json', own)
    headers.delete('content-type')
    for (const [name, value] of Object.entries({ 'tus-resumable': '1.0.0', ...headersOfStep })) headers.set(name, value)
    const init: Upload = { method, headers }
    if (signal !== undefined) init.signal = signal
    if (body !== undefined) init.body = body
    const address = addressOf(client, path, places, parameters, headers) + (upload === undefined ? '' : \`/\${segment('upload', upload)}\`)
    const response = await send(client, address, init, tell)
    onResponse?.(response)
    if (!response.ok) throw new ApiError(response.status, parsed(await response.text()))
    return response
  }
  let { upload } = options
  for (let failures = 0; ;) {
    try {
      let response: Response
      if (upload === undefined) {
        response = await ask('POST', { 'upload-length': String(total), 'upload-metadata': metadataOf(file) })
        upload = response.headers.get('location')?.split('/').at(-1) as string
        onBegin?.(upload)
      } else response = await ask('HEAD', {}, upload)
      for (let name = response.headers.get('upload-file'); ; name = response.headers.get('upload-file')) {
        const offset = name === null ? Number(response.headers.get('upload-offset') ?? 0) : total
        onProgress?.({ loaded: offset, total })
        if (name !== null) return { name: decodeURIComponent(name) }
        const tell = onProgress === undefined ? undefined : ({ loaded }: UploadProgress): void => { onProgress({ loaded: offset + loaded, total }) }
        response = await ask('PATCH', { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }, upload, file.slice(offset, offset + chunkSize), tell)
        failures = 0
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (++failures > retries || (error instanceof ApiError && error.statusCode < 500 && ![408, 409, 429].includes(error.statusCode))) throw error
      await new Promise(resolve => { setTimeout(resolve, Math.min(250 * 2 ** failures, 10_000)) })
      signal?.throwIfAborted()
    }
  }
}

function metadataOf ({ name = 'file', type }: Blob & { readonly name?: string }): string {
  const base64 = (value: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(value)))
  return \`filename \${base64(name)}\${type === '' ? '' : \`,filetype \${base64(type)}\`}\`
}`
