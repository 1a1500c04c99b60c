/** What one request and its response are in a recording: a line of JSON each, after a first line about the whole. */
import { createReadStream, existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { RecordingError } from '../errors.js'

export type Headers = Readonly<Record<string, string | readonly string[]>>

/** Digests stand for what is binary in responses, and for what is larger than the limit. */
export type RecordedBody =
  | { readonly json: unknown }
  | { readonly text: string }
  /** A form with files, its bytes as ISO-8859-1. */
  | { readonly latin1: string }
  | { readonly base64: string }
  | { readonly sha256: string, readonly bytes: number }

export interface Message {
  readonly headers: Headers
  readonly body?: RecordedBody | undefined
}

export interface Exchange {
  /** From 1, in the order in which the requests came. */
  readonly number: number
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly request: Message
  readonly response: Message & { readonly status: number }
}

/** The first line. */
export interface RecordingHead {
  readonly recording: 1
  /** Where the requests went, without credentials. */
  readonly target: string
  /** ISO 8601. */
  readonly started: string
}

export interface Recording {
  readonly head: RecordingHead
  readonly exchanges: readonly Exchange[]
}

/** The file within the folder of a recording. */
export const recordingFile = (dir: string): string => path.join(dir, 'exchanges.ndjson')

/**
 * @param dir folder of a recording
 * @throws FBK_CLI_RECORDING when it is missing, empty, or not a recording
 */
export async function readRecording (dir: string): Promise<Recording> {
  const file = recordingFile(dir)
  if (!existsSync(file)) throw new RecordingError(dir, 'there is no file exchanges.ndjson in it')
  let head: RecordingHead | undefined
  const exchanges: Exchange[] = []
  let at = 0
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    at++
    if (line.trim() === '') continue
    const entry = parsed(line)
    if (entry === undefined) throw new RecordingError(dir, `line ${at} is no JSON`)
    if (head === undefined) {
      if (!isHead(entry)) throw new RecordingError(dir, 'its first line does not say "recording": 1')
      head = entry
    } else if (isExchange(entry)) exchanges.push(entry)
    else throw new RecordingError(dir, `line ${at} is no exchange`)
  }
  if (head === undefined || exchanges.length === 0) throw new RecordingError(dir, 'it has no exchanges')
  return { head, exchanges: exchanges.sort((a, b) => a.number - b.number) }
}

function parsed (line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isHead = (value: unknown): value is RecordingHead =>
  isObject(value) && value.recording === 1 && typeof value.target === 'string' && URL.canParse(value.target)

const isExchange = (value: unknown): value is Exchange =>
  isObject(value) && typeof value.number === 'number' && typeof value.method === 'string' &&
  typeof value.path === 'string' && value.path.startsWith('/') &&
  isObject(value.request) && isObject(value.request.headers) &&
  isObject(value.response) && typeof value.response.status === 'number' && isObject(value.response.headers)
