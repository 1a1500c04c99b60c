/** Requests to another server that has remote methods, with the ways to log in that HTTP has. */
import { createHash, randomBytes } from 'node:crypto'
import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'

/** How a client says who it is. */
export interface RemotingAuth {
  username?: string
  password?: string
  /** A bearer token. */
  bearer?: string
  /** Whether name and password go out at once (Basic), and not when the server has asked. Default: false. */
  sendImmediately?: boolean
  /** A token of LoopBack's, sent as it is. */
  accessToken?: { readonly id: string }
}

export interface OutgoingRequest {
  method: string
  url: string
  protocol: string | null
  /** That bodies are JSON. */
  json: true
  body?: unknown
  headers?: Record<string, string>
  auth?: RemotingAuth
  /** Whether the response is a stream, which is not read here. */
  streams?: true
}

export interface IncomingResponse {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  /** Parsed where it is JSON, else text; undefined where there is none. The response itself where it is a stream. */
  readonly body: any
}

/** Sends a request; asks a second time, with name and password, where the server wants them. */
export async function sendRequest (request: OutgoingRequest): Promise<IncomingResponse> {
  const { auth } = request
  const answer = await sendOnce(request, immediate(auth))
  const challenge = answer.headers['www-authenticate']
  const isChallenged = answer.statusCode === 401 && challenge !== undefined && auth?.sendImmediately !== true
  if (!isChallenged || auth?.username === undefined) return answer
  const authorization = challenge.toLowerCase().startsWith('digest') ? digest(request, auth, challenge) : basic(auth)
  return await sendOnce(request, authorization)
}

function immediate (auth: RemotingAuth | undefined): string | undefined {
  if (auth?.bearer !== undefined) return `Bearer ${auth.bearer}`
  return auth?.username !== undefined && auth.sendImmediately === true ? basic(auth) : undefined
}

const basic = ({ username = '', password = '' }: RemotingAuth): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

function sendOnce (request: OutgoingRequest, authorization: string | undefined): Promise<IncomingResponse> {
  const text = request.body === undefined ? undefined : JSON.stringify(request.body)
  const headers: Record<string, string | number> = {
    accept: 'application/json',
    ...request.headers,
    ...(authorization === undefined ? {} : { authorization }),
    ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  }
  return new Promise((resolve, reject) => {
    const { request: open } = request.protocol === 'https:' ? https : http
    const outgoing = open(request.url, { method: request.method, headers }, incoming => {
      const { statusCode = 0, headers: received } = incoming
      if (request.streams === true && statusCode < 400) {
        resolve({ statusCode, headers: received, body: incoming })
        return
      }
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => { chunks.push(chunk) })
      incoming.on('error', reject)
      incoming.on('end', () => {
        resolve({ statusCode, headers: received, body: bodyOf(Buffer.concat(chunks).toString('utf8')) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}

function bodyOf (text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const algorithms: Readonly<Record<string, string>> = { md5: 'md5', 'sha-256': 'sha256' }

/** The response to a Digest challenge (RFC 7616), with the quality `auth` where it is offered. */
function digest ({ method, url }: OutgoingRequest, { username = '', password = '' }: RemotingAuth, challenge: string): string {
  const given = (name: string): string | undefined => {
    const match = new RegExp(`\\b${name}=(?:"([^"]*)"|([^\\s,]+))`, 'i').exec(challenge)
    return match?.[1] ?? match?.[2]
  }
  const { pathname, search } = new URL(url)
  const uri = pathname + search
  const [realm = '', nonce = '', algorithm = 'MD5'] = [given('realm'), given('nonce'), given('algorithm')]
  const hash = (text: string): string =>
    createHash(algorithms[algorithm.toLowerCase()] ?? 'md5').update(text).digest('hex')
  const [who, what] = [hash(`${username}:${realm}:${password}`), hash(`${method}:${uri}`)]
  const offersAuth = given('qop')?.split(',').some(each => each.trim() === 'auth') === true
  const cnonce = randomBytes(8).toString('hex')
  const response = hash(offersAuth ? `${who}:${nonce}:00000001:${cnonce}:auth:${what}` : `${who}:${nonce}:${what}`)
  const opaque = given('opaque')
  return `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", algorithm=${algorithm}, response="${response}"` +
    (offersAuth ? `, qop=auth, nc=00000001, cnonce="${cnonce}"` : '') +
    (opaque === undefined ? '' : `, opaque="${opaque}"`)
}
