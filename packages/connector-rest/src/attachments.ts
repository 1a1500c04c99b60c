import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { invalidAttachment } from './errors.js'
import type { RestRequest } from './request.js'
import { asText } from './template/convert.js'

/**
 * The request with its form and its files as a multipart body (service-connectors.md, SC-T13).
 *
 * ```js
 * await withAttachments({ method: 'POST', uri, attachments: [{ field: 'photo', path: 'a.png' }] }, '/srv/photos')
 * ```
 * @param root files are below it, also behind links
 * @throws RequestError 400 INVALID_ATTACHMENT for a file that is not there, or elsewhere
 */
export async function withAttachments (request: RestRequest, root: string): Promise<RestRequest> {
  const { attachments = [], form, headers, ...rest } = request
  const data = new FormData()
  for (const [name, value] of Object.entries(form ?? {})) {
    for (const each of [value].flat()) data.append(name, asText(each))
  }
  for (const { field, path: name } of attachments) {
    const file = await fileOf(root, asText(name))
    const bytes = await readFile(file).catch(() => { throw invalidAttachment() })
    data.append(asText(field), new Blob([bytes]), path.basename(file))
  }
  const encoded = new Response(data)
  return {
    ...rest,
    headers: { ...headers, 'content-type': encoded.headers.get('content-type') },
    body: Buffer.from(await encoded.arrayBuffer())
  }
}

async function fileOf (root: string, name: string): Promise<string> {
  const below = `${await realpath(root)}${path.sep}`
  const file = name.includes('\0') ? undefined : await realpath(path.resolve(root, name)).catch(() => undefined)
  if (file?.startsWith(below) !== true) throw invalidAttachment()
  return file
}
