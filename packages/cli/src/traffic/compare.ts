/** `fastback compare`: a recording, replayed against another server. */
import { NoResponseError } from '../errors.js'
import { Alignment } from './alignment.js'
import { bytesOf } from './body.js'
import { differences, type ReplayedResponse, type Difference } from './difference.js'
import { readRecording, type Exchange, type Headers, type RecordedBody } from './exchange.js'
import { ignoring } from './ignore.js'
import { Masks } from './masks.js'
import { targetOf } from './proxy.js'
import { senderTo, type Sent } from './send.js'

export interface CompareOptions {
  /** The other server: `http://localhost:3000`. */
  readonly against: string
  /** What may differ: `status`, `header:NAME`, `body:$.a.b`. Default: headers about the moment or the connection. */
  readonly ignore?: readonly string[] | undefined
  /** Sends requests with these methods only. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Values of secrets that no response of the recording tells, by the number of their placeholder. */
  readonly secrets?: Readonly<Record<string, string>> | undefined
  /** `exact`: also dates that the server made must be the same. Default: `shape`. */
  readonly dates?: 'shape' | 'exact' | undefined
  /** Bytes of a body that are compared; of larger ones the digest is. As in the recording. Default: 1 MiB. */
  readonly maxBody?: number | undefined
  /** Milliseconds that a response may take. Default: 15,000. */
  readonly timeout?: number | undefined
}

export interface ComparedExchange {
  readonly number: number
  readonly method: string
  readonly path: string
  /** Why it was not sent; undefined of those that were. */
  readonly skipped?: string
  readonly differences: readonly Difference[]
}

export interface ComparisonReport {
  readonly recording: string
  readonly against: string
  /** How many were sent. */
  readonly compared: number
  readonly skipped: number
  /** How many responses differ. */
  readonly different: number
  readonly exchanges: readonly ComparedExchange[]
}

/**
 * Sends the requests of a recording, one after the other, and compares the responses. Ids that the other server gives
 * are followed through later requests and responses, and so are tokens; dates that a server made are compared by their
 * shape.
 *
 * ```js
 * const { different, exchanges } = await compareExchanges('recordings/shop', { against: 'http://localhost:3001' })
 * ```
 * @param dir folder of the recording
 * @throws FBK_CLI_RECORDING, FBK_CLI_TARGET, FBK_CLI_IGNORE, and FBK_CLI_NO_ANSWER when nobody answers at all
 */
export async function compareExchanges (dir: string, options: CompareOptions): Promise<ComparisonReport> {
  const { only, secrets, dates = 'shape', maxBody = 1024 * 1024, timeout = 15_000 } = options
  const target = targetOf(options.against)
  const ignored = ignoring(options.ignore ?? [])
  const { head, exchanges } = await readRecording(dir)
  const methods = only?.map(method => method.toUpperCase())
  const alignment = new Alignment(secrets)
  const hosts = [new URL(head.target).host, target.host] as const
  for (const { path, request: { body } } of exchanges) alignment.foresee(path, contentOf(body))
  const sender = senderTo(target, { maxBody, timeout })
  const shown = new Masks()
  const compared: ComparedExchange[] = []
  let answers = 0
  try {
    for (const exchange of exchanges) {
      const { number, method, path } = exchange
      const request = methods?.includes(method) === false ? 'its method is left out' : requestOf(exchange, alignment, hosts)
      if (typeof request === 'string') {
        compared.push({ number, method, path, skipped: request, differences: [] })
        continue
      }
      const answer = await sender.send(request).catch((error: unknown) => error as Error)
      if (answer instanceof Error && answers === 0) {
        throw new NoResponseError(target.host, answer.message || String(answer))
      }
      answers++
      const found = answer instanceof Error
        ? [{ place: 'answer', recorded: exchange.response.status, live: answer.message }]
        : differences(exchange, answer satisfies ReplayedResponse, { alignment, ignored, exactDates: dates === 'exact', hosts })
      // What the other server tells is no less secret.
      const masked = found.map(each => ({ ...each, live: shown.value(each.live, each.place.split(/[.:]/).at(-1)) }))
      compared.push({ number, method, path, differences: masked })
    }
  } finally {
    sender.close()
  }
  const skipped = compared.filter(each => each.skipped !== undefined).length
  const different = compared.filter(each => each.differences.length > 0).length
  return {
    recording: dir,
    against: target.origin,
    compared: compared.length - skipped,
    skipped,
    different,
    exchanges: compared
  }
}

/** Headers that belong to the recorded connection. */
const ownHeaders = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']

/** The request for the other server, or why there is none. */
function requestOf (
  { method, path, request }: Exchange,
  alignment: Alignment,
  hosts: readonly [string, string]
): Sent | string {
  const collection = alignment.collectionOf(path)
  // First the path: what it names is replaced in texts of the body, too.
  const place = alignment.path(path)
  const body = request.body === undefined ? undefined : bytesOf(alignedBody(request.body, alignment, collection))
  if (request.body !== undefined && body === undefined) return 'its body was too large to be kept'
  return { method, path: place, headers: headersFor(request.headers, alignment, hosts), body }
}

function alignedBody (body: RecordedBody, alignment: Alignment, collection: string): RecordedBody {
  if ('json' in body) return { json: alignment.outgoing(body.json, collection) }
  if ('text' in body) return { text: /^[^\s=&]+=/.test(body.text) ? alignment.form(body.text, collection) : alignment.fill(alignment.words(body.text)) }
  return 'latin1' in body ? { latin1: alignment.fill(body.latin1) } : body
}

function headersFor (headers: Headers, alignment: Alignment, hosts: readonly [string, string]): Headers {
  const filled = (name: string, value: string): string => {
    const text = alignment.fill(alignment.words(value.replaceAll(...hosts)))
    const [, scheme = '', pair = ''] = name === 'authorization' ? /^(basic) +(.*)$/is.exec(text) ?? [] : []
    return scheme === '' ? text : `${scheme} ${Buffer.from(pair).toString('base64')}`
  }
  return Object.fromEntries(Object.entries(headers)
    .filter(([name]) => !ownHeaders.includes(name))
    .map(([name, value]) => [name, typeof value === 'string' ? filled(name, value) : value.map(each => filled(name, each))]))
}

const contentOf = (body: RecordedBody | undefined): unknown =>
  body === undefined ? undefined : 'json' in body ? body.json : 'text' in body ? body.text : undefined
