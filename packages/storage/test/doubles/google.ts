/**
 * A double of Google Cloud Storage: as much of the JSON API, and of signed addresses (V4), as the driver asks for over
 * Google's own client. It is no evidence about Google. What is checked strictly is what the driver is to keep to: a
 * session's parts follow each other, are multiples of 256 KiB but for the last one, and are no object before it.
 */
import { createHash, createVerify, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CRC32C } from '@google-cloud/storage'

interface Stored {
  readonly content: Buffer
  readonly type: string
  readonly generation: number
  readonly updated: string
}
interface Session { readonly bucket: string, readonly name: string, readonly type: string, content: Buffer }

export interface GoogleDouble {
  readonly endpoint: string
  /** Uploads that have begun and neither ended nor been given up. */
  readonly sessions: ReadonlyMap<string, unknown>
  /** Requests for parts that are answered with 503, half of the part kept. */
  failures: number
  close (): Promise<void>
}

const unit = 256 * 1024

/** The client compares it with its own. */
function sumOf (content: Buffer): string {
  const sum = new CRC32C()
  sum.update(content)
  return sum.toString()
}

/** @param publicKey of the service account whose signatures hold (PEM) */
export async function googleDouble (publicKey: string): Promise<GoogleDouble> {
  const buckets = new Map<string, { readonly made: string, readonly objects: Map<string, Stored> }>()
  const sessions = new Map<string, Session>()
  let generation = 1_000_000
  const state = { failures: 0 }

  const described = (bucket: string, name: string, { content, type, generation, updated }: Stored): object => ({
    kind: 'storage#object',
    bucket,
    name,
    size: String(content.length),
    contentType: type,
    crc32c: sumOf(content),
    generation: String(generation),
    etag: `E${generation}=`,
    updated,
    timeCreated: updated
  })
  const store = (bucket: string, name: string, content: Buffer, type: string): Stored => {
    const stored = { content, type, generation: ++generation, updated: new Date().toISOString() }
    buckets.get(bucket)?.objects.set(name, stored)
    return stored
  }
  const json = (res: ServerResponse, status: number, body?: object): void => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(body === undefined ? '' : JSON.stringify(body))
  }
  const refuse = (res: ServerResponse, status: number, message: string): void => {
    json(res, status, { error: { code: status, message, errors: [{ message, reason: message }] } })
  }
  const send = (req: IncomingMessage, res: ServerResponse, { content, type }: Stored): void => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(req.headers.range ?? '') ?? []
    const part = from === undefined ? content : content.subarray(Number(from), to === '' ? undefined : Number(to) + 1)
    res.writeHead(from === undefined ? 200 : 206, { 'content-type': type, 'content-length': part.length }).end(part)
  }

  const list = (bucket: string, query: URLSearchParams): object => {
    const prefix = query.get('prefix') ?? ''
    const from = query.get('startOffset') ?? ''
    const after = query.get('pageToken') ?? ''
    const names = [...buckets.get(bucket)?.objects.keys() ?? []].sort()
      .filter(name => name.startsWith(prefix) && name >= from && name > after)
    const isFolder = (name: string): boolean => query.get('delimiter') === '/' && name.includes('/')
    // A smaller page than was asked for, so that more than one is.
    const page = names.filter(name => !isFolder(name)).slice(0, Math.min(3, Number(query.get('maxResults') ?? 1000)))
    const more = names.filter(name => !isFolder(name)).length > page.length
    return {
      items: page.map(name => described(bucket, name, buckets.get(bucket)?.objects.get(name) as Stored)),
      prefixes: [...new Set(names.filter(isFolder).map(name => name.slice(0, name.indexOf('/') + 1)))],
      ...(more ? { nextPageToken: page.at(-1) } : {})
    }
  }

  const takePart = (req: IncomingMessage, res: ServerResponse, id: string, body: Buffer): void => {
    const session = sessions.get(id)
    if (session === undefined) { refuse(res, 404, 'no session'); return }
    const [, range, total = ''] = /^bytes ([\d-]+|\*)\/(\d+|\*)$/.exec(req.headers['content-range'] ?? '') ?? []
    const keep = (bytes: Buffer): void => { session.content = Buffer.concat([session.content, bytes]) }
    const goOn = (): void => {
      const { length } = session.content
      res.writeHead(308, length === 0 ? {} : { range: `bytes=0-${length - 1}` }).end()
    }
    if (range !== '*') {
      const [from, to] = (range ?? '').split('-').map(Number)
      if (from !== session.content.length || (to as number) - from + 1 !== body.length) { refuse(res, 400, 'parts do not follow'); return }
      if (total === '*' && body.length % unit !== 0) { refuse(res, 400, 'part of a wrong size'); return }
      if (state.failures > 0) {
        state.failures--
        keep(body.subarray(0, Math.floor(body.length / 2 / unit) * unit))
        refuse(res, 503, 'busy')
        return
      }
      keep(body)
    }
    if (total === '*' || Number(total) !== session.content.length) { goOn(); return }
    sessions.delete(id)
    const { bucket, name, content, type } = session
    json(res, 200, described(bucket, name, store(bucket, name, content, type)))
  }

  /** Whether the address is signed for this request (V4). */
  const isSigned = (req: IncomingMessage, url: URL): boolean => {
    const query = new URLSearchParams(url.search)
    const signature = query.get('X-Goog-Signature') ?? ''
    query.delete('X-Goog-Signature')
    const escaped = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    const names = (query.get('X-Goog-SignedHeaders') ?? '').split(';')
    const canonical = [
      req.method, url.pathname, [...query].map(([k, v]) => `${escaped(k)}=${escaped(v)}`).sort().join('&'),
      // The client signs the host without its port: Google's has none.
      ...names.map(name => `${name}:${name === 'host' ? url.hostname : String(req.headers[name] ?? '')}`), '', names.join(';'), 'UNSIGNED-PAYLOAD'
    ].join('\n')
    const date = query.get('X-Goog-Date') ?? ''
    const scope = (query.get('X-Goog-Credential') ?? '').split('/').slice(1).join('/')
    const text = ['GOOG4-RSA-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
    return createVerify('RSA-SHA256').update(text).verify(publicKey, signature, 'hex')
  }

  const answer = (req: IncomingMessage, res: ServerResponse, body: Buffer): void => {
    const url = new URL(req.url as string, endpoint)
    const { searchParams: query } = url
    const [, kind, bucket = '', name] = /^\/(storage\/v1\/b|upload\/storage\/v1\/b|session)(?:\/([^/]+))?(?:\/o(?:\/(.*))?)?$/.exec(url.pathname)?.map(part => part === undefined ? part : decodeURIComponent(part)) ?? []
    const found = buckets.get(bucket)
    if (kind === 'session' && req.method === 'PUT') { takePart(req, res, bucket, body); return }
    if (kind === 'session' && req.method === 'DELETE') { refuse(res, sessions.delete(bucket) ? 499 : 404, 'cancelled'); return }
    if (kind === undefined) {
      const [, signedBucket = '', file = ''] = /^\/([^/]+)\/(.+)$/.exec(decodeURIComponent(url.pathname)) ?? []
      if (!isSigned(req, url)) { refuse(res, 403, 'signature does not match'); return }
      if (req.method === 'PUT') { store(signedBucket, file, body, req.headers['content-type'] ?? ''); json(res, 200); return }
      const stored = buckets.get(signedBucket)?.objects.get(file)
      if (stored === undefined) refuse(res, 404, 'none')
      else send(req, res, stored)
      return
    }
    if (bucket === '') {
      if (req.method === 'GET') { json(res, 200, { items: [...buckets].map(([name, { made }]) => ({ id: name, name, timeCreated: made })) }); return }
      const { name: made } = JSON.parse(body.toString()) as { name: string }
      if (buckets.has(made)) { refuse(res, 409, 'exists'); return }
      if (!/^[a-z\d][a-z\d_.-]{1,61}[a-z\d]$/.test(made)) { refuse(res, 400, 'Invalid bucket name'); return }
      buckets.set(made, { made: new Date().toISOString(), objects: new Map() })
      json(res, 200, { id: made, name: made, timeCreated: buckets.get(made)?.made })
      return
    }
    if (found === undefined) { refuse(res, 404, 'no bucket'); return }
    if (kind.startsWith('upload')) {
      if (query.get('uploadType') === 'resumable') {
        const id = randomUUID()
        const type = String(req.headers['x-upload-content-type'])
        sessions.set(id, { bucket, name: query.get('name') as string, type, content: Buffer.alloc(0) })
        res.writeHead(200, { location: `${endpoint}/session/${id}` }).end()
        return
      }
      const boundary = `--${/boundary=(.+)$/.exec(req.headers['content-type'] ?? '')?.[1] ?? ''}`
      const [, about = '', media = ''] = body.toString('latin1').split(boundary)
      const inner = (part: string): string => part.slice(part.indexOf('\r\n\r\n') + 4, -2)
      const { contentType } = JSON.parse(inner(about)) as { contentType: string }
      json(res, 200, described(bucket, query.get('name') as string, store(bucket, query.get('name') as string, Buffer.from(inner(media), 'latin1'), contentType)))
      return
    }
    if (name === undefined && url.pathname.endsWith('/o')) { json(res, 200, list(bucket, query)); return }
    if (name === undefined) {
      if (req.method === 'GET') { json(res, 200, { id: bucket, name: bucket, timeCreated: found.made }); return }
      if (found.objects.size > 0) { refuse(res, 409, 'not empty'); return }
      buckets.delete(bucket)
      json(res, 204)
      return
    }
    const stored = found.objects.get(name)
    const wanted = query.get('generation')
    if (stored === undefined || (wanted !== null && wanted !== String(stored.generation))) { refuse(res, 404, 'no object'); return }
    if (req.method === 'DELETE') { found.objects.delete(name); json(res, 204); return }
    if (query.get('alt') === 'media') send(req, res, stored)
    else json(res, 200, described(bucket, name, stored))
  }

  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => { chunks.push(chunk) }).on('error', () => {})
    req.on('end', () => { answer(req, res, Buffer.concat(chunks)) })
  })
  // On a busy machine a test pauses for longer than Node's five seconds.
  server.keepAliveTimeout = 60_000
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    endpoint,
    sessions,
    async close () {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  })
}
