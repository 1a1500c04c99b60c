import { pipeline } from 'node:stream/promises'
import type { FileStat, StorageDriver } from '../driver.js'
import { noFile, preconditionFailed, rangeNotSatisfiable } from '../errors.js'
import type { StorageRequest, StorageResponse } from '../http.js'
import { evaluate, holdsRange, rangeOf, type ByteRange } from './conditions.js'
import { safeHeaders, typeOf } from './file-headers.js'

export interface SendSettings {
  readonly disposition: 'auto' | 'attachment' | 'inline'
  /** Milliseconds in which the client must take a byte. */
  readonly downloadTimeout: number
  /** The name that the client sees. Default: that of the file. */
  readonly shownAs?: string
}

/**
 * Answers with a file: ranges, validators and conditions by RFC 9110 (storage.md, SD-8, SD-9), and headers that keep it
 * from acting as a page of this origin. Resolves when the last byte has been handed over, or the client has gone.
 * @throws RequestError before the first byte: 404, 412, 416
 */
export async function sendFile (
  driver: StorageDriver, file: FileStat, req: StorageRequest, res: StorageResponse, settings: SendSettings
): Promise<void> {
  const { headers } = req
  const validators = {
    etag: `"${file.validator ?? `${String(file.size)}-${String(file.mtime.getTime())}`}"`,
    lastModified: file.mtime
  }
  const outcome = evaluate(headers, validators)
  if (outcome === 412) throw preconditionFailed()
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  const range = isRead && outcome === 200 && holdsRange(headers, validators)
    ? rangeOf(headers.range, file.size)
    : undefined
  if (range === 'unsatisfiable') {
    res.setHeader('content-range', `bytes */${String(file.size)}`)
    throw rangeNotSatisfiable(file.size)
  }
  // The bytes are there before the status says so.
  const body = req.method === 'HEAD' || outcome === 304
    ? undefined
    : await driver.read(file.container, file.name, { ...range, validator: file.validator })
  describe(file, range, validators, req, res, settings)
  if (outcome === 304) {
    res.statusCode = 304
    for (const name of ['content-length', 'content-type', 'content-disposition']) res.removeHeader(name)
  }
  if (body === undefined) {
    res.end()
    return
  }
  if (res.destroyed) {
    body.destroy()
    return
  }
  // A client that stands still is cut off: its file would stay open as long as it likes.
  const { socket } = res
  const before = socket?.timeout ?? 0
  res.setTimeout(settings.downloadTimeout, () => { res.destroy() })
  try {
    await pipeline(body, res)
  } catch (error) {
    // The response has begun: anyone who reads it sees that it is cut off.
    if (!res.headersSent) throw (error as { code?: unknown }).code === 'ENOENT' ? noFile(file.name) : error
  } finally {
    // Where the response has gone out, Node has set the time that the connection may be kept.
    if (socket?.timeout === settings.downloadTimeout) socket.setTimeout(before)
  }
}

function describe (
  file: FileStat,
  range: ByteRange | undefined,
  { etag, lastModified }: { readonly etag: string, readonly lastModified: Date },
  req: StorageRequest,
  res: StorageResponse,
  { disposition, shownAs = file.name }: SendSettings
): void {
  const type = typeOf(shownAs)
  const [start, end] = range === undefined ? [0, file.size - 1] : [range.start, range.end]
  if (range !== undefined) {
    res.statusCode = 206
    res.setHeader('content-range', `bytes ${String(start)}-${String(end)}/${String(file.size)}`)
  } else if (res.statusCode < 200 || res.statusCode > 299) res.statusCode = 200
  const headers = {
    ...safeHeaders(shownAs, type, disposition),
    'content-type': type,
    'content-length': String(end - start + 1),
    'accept-ranges': 'bytes',
    etag,
    'last-modified': lastModified.toUTCString(),
    ...(req.accessToken === undefined || req.accessToken === null ? {} : { 'cache-control': 'private, no-cache' })
  }
  for (const [name, value] of Object.entries(headers)) {
    // What a hook of the application set stays, but for what describes these very bytes.
    if (!own.has(name) || !res.hasHeader(name)) res.setHeader(name, value)
  }
}

/** Headers that an application may set itself. */
const own: ReadonlySet<string> = new Set([
  'content-disposition', 'content-security-policy', 'content-type', 'cache-control', 'x-content-type-options'
])
