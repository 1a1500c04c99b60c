/**
 * Content-type parsers of the plugin's own scope. They replace Fastify's: JSON may be any value, an empty body is no
 * body, `null` is null; forms are read; bodies may be compressed; what is neither is left alone, and is a 415 only
 * where a method wants a body (request-parsing.md, section 5).
 */
import type { IncomingMessage } from 'node:http'
import { sharedMethodOf } from '@fastback/core/remote'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import iconv from 'iconv-lite'
import { malformedJson, unsupportedEncoding } from '../errors/request-errors.js'
import { setBodyKind } from './body-kind.js'
import { patchTypes, takesPatches } from '../patches/row-patch.js'
import { linesType, takesLines } from '../lines/create-lines.js'
import { parseJson } from './json.js'
import type { FieldsParser } from './query.js'
import { readBody } from './read-body.js'

export interface BodyOptions {
  /** Bytes of a JSON body. */
  readonly jsonLimit: number
  /** Bytes of a form. */
  readonly formLimit: number
  /** Levels of nesting in JSON. */
  readonly jsonDepth: number
  /** How forms are read. */
  readonly parseFields: FieldsParser
  /** Media types that are JSON. */
  readonly jsonTypes: readonly string[]
}

export const formType = 'application/x-www-form-urlencoded'

type Done = (error: Error | null, body?: unknown) => void

export function addBodyParsers (scope: FastifyInstance, options: BodyOptions): void {
  const json = (text: string): unknown => {
    try {
      return parseJson(text, options.jsonDepth)
    } catch (error) {
      throw malformedJson((error as Error).message)
    }
  }
  scope.removeAllContentTypeParsers()
  for (const type of options.jsonTypes) {
    scope.addContentTypeParser(
      type,
      exactly(type, (request, payload, done) => {
        parse(request, payload, options.jsonLimit, json, 'json', done)
      })
    )
  }
  for (const [kind, type] of Object.entries(patchTypes)) {
    // An application that takes the type for JSON is left its way.
    if (options.jsonTypes.includes(type)) continue
    scope.addContentTypeParser(type, exactly(type, (request, payload, done) => {
      const method = sharedMethodOf(request.routeOptions)
      if (method === undefined || !takesPatches(method)) leaveAlone(request, done)
      else parse(request, payload, options.jsonLimit, json, kind as keyof typeof patchTypes, done)
    }))
  }
  if (!options.jsonTypes.includes(linesType)) {
    scope.addContentTypeParser(linesType, exactly(linesType, (request, payload, done) => {
      const method = sharedMethodOf(request.routeOptions)
      if (method === undefined || !takesLines(method)) leaveAlone(request, done)
      else {
        // Whoever creates the rows takes it off the wire.
        setBodyKind(request, 'lines')
        done(null, payload)
      }
    }))
  }
  scope.addContentTypeParser(
    formType,
    exactly(formType, (request, payload, done) => {
      parse(request, payload, options.formLimit, options.parseFields, 'form', done)
    })
  )
  scope.addContentTypeParser('*', (request: FastifyRequest, _payload: IncomingMessage, done: Done) => {
    leaveAlone(request, done)
  })
}

type BodyParser = (request: FastifyRequest, payload: IncomingMessage, done: Done) => void

/** Fastify finds a parser by what a type begins with, too; the types of an operation are exact. */
function exactly (type: string, parser: BodyParser): BodyParser {
  return (request, payload, done) => {
    if (mediaTypeOf(request) === type && !readsItself(request)) parser(request, payload, done)
    else leaveAlone(request, done)
  }
}

/** A method that says what its body is reads it, whatever its type: what is stored may be JSON, too. */
const readsItself = (request: FastifyRequest): boolean =>
  sharedMethodOf(request.routeOptions)?.options.requestBody !== undefined

/**
 * A body without a type is none. What is not read is not taken off the wire: middleware of the application may want it.
 */
function leaveAlone (request: FastifyRequest, done: Done): void {
  const { headers, method } = request
  const isNone = headers['content-type'] === undefined ||
    (method === 'GET' && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
  setBodyKind(request, isNone ? 'none' : 'other')
  done(null, undefined)
}

const mediaTypeOf = (request: FastifyRequest): string => {
  const header = request.headers['content-type'] as string
  const end = header.indexOf(';')
  return (end === -1 ? header : header.slice(0, end)).trim().toLowerCase()
}

function parse (
  request: FastifyRequest,
  payload: IncomingMessage,
  limit: number,
  read: (text: string) => unknown,
  kind: 'json' | 'form' | keyof typeof patchTypes,
  done: Done
): void {
  setBodyKind(request, kind)
  const charset = charsetOf(request)
  if (charset === undefined) {
    done(unsupportedEncoding('unsupported charset'))
    return
  }
  readBody(request.raw, payload, limit, (error, bytes) => {
    if (error !== null) {
      done(error)
      return
    }
    let body: unknown
    try {
      const text = decode(bytes as Buffer, charset)
      body = text === '' ? undefined : read(text)
    } catch (failure) {
      done(failure as Error)
      return
    }
    done(null, body)
  })
}

/** `utf-8` and its kin; undefined for every other charset. */
function charsetOf (request: FastifyRequest): string | undefined {
  const header = request.headers['content-type'] as string
  if (!header.includes(';')) return 'utf-8'
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(header)
  if (charset === null) return 'utf-8'
  const name = (charset[1] ?? charset[2] as string).toLowerCase()
  return name === 'utf8' || (name.startsWith('utf-') && iconv.encodingExists(name)) ? name : undefined
}

function decode (bytes: Buffer, charset: string): string {
  if (charset !== 'utf-8' && charset !== 'utf8') return iconv.decode(bytes, charset)
  const text = bytes.toString('utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
