/** Push services of the tests: they check what the real ones check, and answer as they are told. */
import { execFileSync } from 'node:child_process'
import { createDecipheriv, createECDH, generateKeyPairSync, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createSecureServer, createServer as createH2c, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compactVerify, decodeProtectedHeader, importJWK, jwtVerify, type JWTPayload } from 'jose'

export interface Answer { status: number, body?: unknown, headers?: Record<string, string>, goaway?: boolean }
interface Jwt { header: any, payload: JWTPayload }
export interface Received { path: string, headers: Record<string, any>, body: any, raw: Buffer, jwt?: Jwt }
export interface Service {
  readonly port: number
  readonly received: Received[]
  /** Responses to come; without any: all is well. */
  answers: Answer[]
  close (): Promise<void>
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  return (server.address() as AddressInfo).port
}

const sessionsOf = (server: Http2Server): Set<ServerHttp2Session> => {
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', session => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  return sessions
}

const closing = (server: Http2Server, sessions: Set<ServerHttp2Session>) => async () => {
  for (const session of sessions) session.destroy()
  await new Promise<void>(resolve => { server.close(() => { resolve() }) })
}

const readAll = async (stream: ServerHttp2Stream): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** A certificate for 127.0.0.1, made here. */
export function certificate (): { key: string, cert: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-push-'))
  const [key, cert] = ['key.pem', 'cert.pem'].map(name => path.join(folder, name)) as [string, string]
  execFileSync('openssl', [
    'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', cert,
    '-days', '2', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'
  ], { stdio: 'ignore' })
  try {
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string

export interface Apns extends Service { readonly settings: Record<string, any> }

/** APNs (PU-85): the token is verified, and its times are. */
export async function apnsService ({ requestCert = false } = {}): Promise<Apns> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const tls = certificate()
  const server = createSecureServer({ ...tls, ...(requestCert ? { requestCert: true, ca: tls.cert } : {}) })
  const sessions = sessionsOf(server as never)
  const received: Received[] = []
  const service = { answers: [] as Answer[] }
  server.on('stream', (stream, headers) => {
    ;(async () => {
      const raw = await readAll(stream)
      const answer = service.answers.shift() ?? { status: 200 }
      if (answer.goaway === true) {
        // The session ends, and this request was not begun with.
        stream.session?.goaway(0, (stream.id as number) - 2)
        stream.close(7)
        return
      }
      const bearer = String(headers.authorization ?? '').replace(/^bearer /, '')
      const verified = bearer === '' ? undefined : await jwtVerify(bearer, publicKey, { algorithms: ['ES256'] })
      received.push({
        path: String(headers[':path']), headers, raw, body: JSON.parse(raw.toString()),
        ...(verified === undefined ? {} : { jwt: { header: verified.protectedHeader, payload: verified.payload } })
      })
      stream.respond({ ':status': answer.status, 'apns-id': headers['apns-id'] as string, ...answer.headers })
      stream.end(answer.body === undefined ? '' : JSON.stringify(answer.body))
    })().catch(() => { stream.close(2) })
    stream.on('error', () => {})
  })
  const port = await listen(server as never)
  return Object.assign(service, {
    port,
    received,
    settings: {
      token: { keyId: 'KEYID12345', teamId: 'TEAMID1234', key: pem(privateKey) },
      bundle: 'com.example.shop', host: '127.0.0.1', port, ca: tls.cert
    },
    tls,
    close: closing(server as never, sessions)
  })
}

export interface Fcm extends Service {
  readonly settings: Record<string, any>
  readonly assertions: JWTPayload[]
  tokens: number
  tokenAnswer?: Answer
}

/**
 * FCM and Google's tokens (PU-86).
 * @param count takes the bodies in place of `received`, where there are too many of them to keep
 */
export async function fcmService (count?: (body: any) => Promise<void>): Promise<Fcm> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const server = createH2c()
  const sessions = sessionsOf(server)
  const received: Received[] = []
  const assertions: JWTPayload[] = []
  const service: { answers: Answer[], tokens: number, tokenAnswer?: Answer } = { answers: [], tokens: 0 }
  let url = ''
  server.on('stream', (stream, headers) => {
    ;(async () => {
      const raw = await readAll(stream)
      const at = String(headers[':path'])
      if (at === '/token') {
        const form = new URLSearchParams(raw.toString())
        const { payload } = await jwtVerify(form.get('assertion') as string, publicKey, { algorithms: ['RS256'], audience: `${url}/token` })
        assertions.push({ ...payload, grant: form.get('grant_type') })
        service.tokens++
        const { status, body } = service.tokenAnswer ?? { status: 200, body: { access_token: `access-${service.tokens}`, expires_in: 3600 } }
        stream.respond({ ':status': status })
        stream.end(JSON.stringify(body))
        return
      }
      const answer = service.answers.shift() ?? { status: 200, body: { name: `projects/shop/messages/${received.length}` } }
      const body = JSON.parse(raw.toString())
      if (count === undefined) received.push({ path: at, headers, raw, body })
      else await count(body)
      stream.respond({ ':status': answer.status, ...answer.headers })
      stream.end(JSON.stringify(answer.body ?? {}))
    })().catch(() => { stream.close(2) })
    stream.on('error', () => {})
  })
  const port = await listen(server as never)
  url = `http://127.0.0.1:${port}`
  return Object.assign(service, {
    port,
    received,
    assertions,
    settings: { projectId: 'shop', clientEmail: 'push@shop.example', privateKey: pem(privateKey), host: url, tokenUrl: `${url}/token` },
    close: closing(server, sessions)
  })
}

export interface WebService extends Service {
  readonly subscription: string
  readonly url: string
}

/** A push service with the browser behind it, which decrypts (PU-87). */
export async function webService (publicKey: string): Promise<WebService> {
  const browser = createECDH('prime256v1')
  const p256dh = browser.generateKeys()
  const auth = randomBytes(16)
  const received: Received[] = []
  const service = { answers: [] as Answer[] }
  const point = Buffer.from(publicKey, 'base64url')
  const key = await importJWK({
    kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url')
  }, 'ES256')
  const server = createServer((req, res) => {
    ;(async () => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk as Buffer)
      const raw = Buffer.concat(chunks)
      const answer = service.answers.shift() ?? { status: 201 }
      const jwt = await vapid(req.headers, key as never, publicKey)
      const body = JSON.parse(decrypt(raw).toString())
      received.push({ path: String(req.url), headers: req.headers, raw, body, jwt })
      res.writeHead(answer.status, answer.headers)
      res.end()
    })().catch(error => {
      res.writeHead(400, { 'x-fault': String(error).replace(/[^\w ]/g, '') })
      res.end()
    })
  })
  const port = await listen(server)
  const url = `http://127.0.0.1:${port}`
  return Object.assign(service, {
    port,
    url,
    received,
    subscription: JSON.stringify({
      endpoint: `${url}/push/abc`, keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }
    }),
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>(resolve => { server.close(() => { resolve() }) })
    }
  })

  /** RFC 8291 from the receiver's side, written apart from the sender's. */
  function decrypt (body: Buffer): Buffer {
    const salt = body.subarray(0, 16)
    const length = body.readUInt8(20)
    const sender = body.subarray(21, 21 + length)
    const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, size: number): Buffer => Buffer.from(hkdfSync('sha256', secret, salt, info, size))
    const ikm = hkdf(browser.computeSecret(sender), auth, Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender]), 32)
    const decipher = createDecipheriv('aes-128-gcm',
      hkdf(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16), hkdf(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 12))
    decipher.setAuthTag(body.subarray(-16))
    const text = Buffer.concat([decipher.update(body.subarray(21 + length, -16)), decipher.final()])
    if (text.at(-1) !== 2) throw new Error('no end of the last record')
    return text.subarray(0, -1)
  }
}

async function vapid (headers: IncomingHttpHeaders, key: KeyObject, publicKey: string): Promise<Jwt> {
  const [, token = '', named] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers.authorization)) ?? []
  if (named !== publicKey) throw new Error('another key')
  const { payload } = await compactVerify(token, key)
  return { header: decodeProtectedHeader(token), payload: JSON.parse(Buffer.from(payload).toString()) }
}
