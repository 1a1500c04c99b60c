/** Messages with other parts beside the envelope: multipart/related (SO-F9; MTOM, XOP, SOAP with Attachments). */
import { randomUUID } from 'node:crypto'
import { XmlError } from '../xml/read-xml.js'

export interface Attachment {
  readonly mimetype: string
  readonly contentId: string
  readonly name?: string
  readonly body: Buffer | string
}

export interface RelatedParts {
  /** The envelope, with its media type. */
  readonly root: { readonly body: Buffer, readonly type: string }
  /** The other parts, by the addresses that refer to them: `cid:…`. */
  readonly attachments: ReadonlyMap<string, Buffer>
}

const lineEnd = '\r\n'
const safe = (text: string): string => text.replaceAll(/[\r\n"<>]/g, '')

/**
 * @param type the media type of the envelope
 * @returns the body with its media type
 */
export function writeRelated (
  envelope: string, type: string, attachments: readonly Attachment[]
): { readonly type: string, readonly body: Buffer } {
  const boundary = `fastback-${randomUUID()}`
  const start = `<${randomUUID()}>`
  const mediaType = type.split(';')[0] as string
  const parts = attachments.flatMap(({ mimetype, contentId, name, body }) => [
    [
      `--${boundary}`,
      `Content-Type: ${safe(mimetype)}`,
      'Content-Transfer-Encoding: binary',
      `Content-ID: <${safe(contentId)}>`,
      ...name === undefined ? [] : [`Content-Disposition: attachment; filename="${safe(name)}"`],
      '', ''
    ].join(lineEnd),
    body,
    lineEnd
  ])
  const head = [
    `--${boundary}`,
    `Content-Type: application/xop+xml; charset=utf-8; type="${mediaType}"`,
    'Content-Transfer-Encoding: binary',
    `Content-ID: ${start}`,
    '', ''
  ].join(lineEnd)
  return {
    type: `multipart/related; type="application/xop+xml"; start="${start}"; start-info="${mediaType}"; boundary="${boundary}"`,
    body: Buffer.concat([head, envelope, lineEnd, ...parts, `--${boundary}--${lineEnd}`].map(each => Buffer.from(each)))
  }
}

const parameter = (type: string, name: string): string | undefined => {
  const [, quoted, plain] = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(type) ?? []
  return quoted ?? plain
}

/** Whether a response has parts. */
export const isRelated = (type: string): boolean => /^\s*multipart\/related/i.test(type)

interface Part { readonly headers: string, readonly body: Buffer }

const headerOf = ({ headers }: Part, name: string): string | undefined =>
  new RegExp(`^${name}\\s*:\\s*(.*)$`, 'im').exec(headers)?.[1]?.trim()

/**
 * Parts of a response; those that were sent as base64 are unpacked.
 * @throws XmlError for a body that has none
 */
export function readRelated (body: Buffer, type: string): RelatedParts {
  const boundary = parameter(type, 'boundary')
  const parts = boundary === undefined ? [] : split(body, boundary)
  const start = parameter(type, 'start')
  const root = parts.find(part => start !== undefined && headerOf(part, 'Content-ID') === start) ?? parts[0]
  if (root === undefined) throw new XmlError('the response has no parts')
  const others = parts.filter(part => part !== root)
  const named = others.flatMap(part => {
    const id = headerOf(part, 'Content-ID')
    return id === undefined ? [] : [[`cid:${id.replaceAll(/^<|>$/g, '')}`, bytesOf(part)] as const]
  })
  return {
    root: { body: bytesOf(root), type: headerOf(root, 'Content-Type') ?? 'text/xml' }, attachments: new Map(named)
  }
}

const bytesOf = (part: Part): Buffer =>
  headerOf(part, 'Content-Transfer-Encoding')?.toLowerCase() === 'base64'
    ? Buffer.from(part.body.toString('latin1'), 'base64')
    : part.body

/** RFC 2046, section 5.1.1. */
function split (body: Buffer, boundary: string): Part[] {
  const mark = Buffer.from(`--${boundary}`)
  const parts: Part[] = []
  let at = body.indexOf(mark)
  while (at >= 0) {
    const from = at + mark.length
    const next = body.indexOf(mark, from)
    const headEnd = body.indexOf('\r\n\r\n', from)
    if (body.toString('latin1', from, from + 2) === '--' || next < 0 || headEnd < 0 || headEnd > next) break
    // The line end before the next mark belongs to the mark.
    parts.push({ headers: body.toString('latin1', from, headEnd), body: body.subarray(headEnd + 4, next - 2) })
    at = next
  }
  return parts
}
