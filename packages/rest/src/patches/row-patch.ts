/**
 * Patches of a row by documents: JSON Merge Patch (RFC 7396) and JSON Patch (RFC 6902), over the row as the caller may
 * read it. What a patch makes of the row becomes the data of an ordinary PATCH, with its validations, hooks and rules;
 * it is written only while the row is as the patch saw it.
 */
import {
  errors, RequestError, type CompiledModel, type MaybePromise, type OperationOptions, type Row,
  type SharedMethod
} from '@fastback/core'
import { deepEqual } from '@fastback/core/connector'
import { findRowById, rowText, rowVersion, VersionConflictError } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bodyKind, setBodyKind } from '../parse/body-kind.js'
import { pathValue } from '../parse/text.js'
import {
  applyPatch, largestDocument, PatchError, readPatch, type Operation, type PatchLimits
} from './json-patch.js'
import { looksInside, mergePatch } from './merge-patch.js'

/** Media types of patches, by what a body of theirs is. */
export const patchTypes = {
  'merge-patch': 'application/merge-patch+json',
  'json-patch': 'application/json-patch+json'
} as const

/** What `Accept-Patch` says (RFC 5789). */
export const acceptPatch = ['application/json', ...Object.values(patchTypes)].join(', ')

/** The row as a patch saw it; what it changes is written only while the row is so. */
export interface SeenRow { readonly version: number | undefined, readonly text: string }

/** How often a patch is worked out anew, where others write the row meanwhile and its client named no version. */
const attempts = 5

const kSeen = Symbol('fastback.seenRow')
type Seeing = FastifyRequest & { [kSeen]?: SeenRow | undefined }

/** The row that the patch of a request saw; undefined where it looked at none. */
export const seenRowOf = (request: FastifyRequest): SeenRow | undefined => (request as Seeing)[kSeen]

/** Whether a method takes patches (setting `patchDocuments`). */
export const takesPatches = ({ builtin, model }: SharedMethod): boolean =>
  builtin === 'patchAttributes' &&
  (model.settings.patchDocuments ?? model.registry.settings.patchDocuments) !== false

/** Whether the body of a request is a patch. */
export function isPatch (request: FastifyRequest): boolean {
  const kind = bodyKind(request)
  return kind === 'merge-patch' || kind === 'json-patch'
}

/**
 * Turns the patch of a request into data, and responds; again where others wrote the row meanwhile. Hooks of the
 * application run again then.
 * @throws RequestError 404; 422 INVALID_PATCH, 409 PATCH_NOT_APPLICABLE, 412 PATCH_TEST_FAILED
 */
export async function respondPatched<T> (
  request: FastifyRequest, reply: FastifyReply, method: SharedMethod, options: OperationOptions, limits: PatchLimits,
  respond: () => MaybePromise<T>
): Promise<T> {
  const { compiled: model } = method.model
  const kind = bodyKind(request)
  const document = request.body
  const isConditional = request.headers['if-match'] !== undefined || namesVersion(model, document)
  for (let attempt = 1; ; attempt++) {
    const [changes, seen] = kind === 'json-patch'
      ? await jsonChanges(model, request, options, document, limits)
      : await mergeChanges(model, request, options, document, limits)
    request.body = changes
    ;(request as Seeing)[kSeen] = seen
    setBodyKind(request, 'json')
    try {
      return await respond()
    } catch (error) {
      const isOurs = error instanceof VersionConflictError && error.modelName === model.name
      if (!isOurs || isConditional || attempt === attempts || reply.sent) throw error
    }
  }
}

const namesVersion = ({ version }: CompiledModel, document: unknown): boolean =>
  version !== undefined && isObject(document) && Object.hasOwn(document, version.name)

const isObject = (value: unknown): value is Row => value !== null && typeof value === 'object' && !Array.isArray(value)

/** The row as the caller may read it. @throws RequestError 404; 422 INVALID_PATCH for a row that is too large */
async function seenRow (
  model: CompiledModel, request: FastifyRequest, options: OperationOptions, limits: PatchLimits
): Promise<[document: Row, seen: SeenRow]> {
  const id = pathValue((request.params as { id: string }).id)
  const row = await findRowById(model, id, undefined, options)
  if (row === undefined) throw errors.noInstance(id)
  const text = await rowText(model, row, options)
  const most = largestDocument(limits)
  if (text.length > most) {
    throw refused(new PatchError(
      'invalid', `The row has more than ${most} characters, and no patch works on it: send what changes as application/json`, 0, ''
    ))
  }
  return [JSON.parse(text) as Row, { version: rowVersion(model, row), text }]
}

async function mergeChanges (
  model: CompiledModel, request: FastifyRequest, options: OperationOptions, patch: unknown, limits: PatchLimits
): Promise<[Row, SeenRow | undefined]> {
  if (!isObject(patch)) throw refused(new PatchError('invalid', 'A merge patch of a row is an object', 0, ''))
  const [document, seen] = looksInside(patch) ? await seenRow(model, request, options, limits) : [{}, undefined]
  const changes: Row = {}
  for (const name of Object.keys(patch)) {
    const value = patch[name]
    if (isObject(value) && model.hidden.has(name)) throw hiddenPath(0, `/${name}`)
    changes[name] = mergePatch(own(document, name), value)
  }
  return [changes, seen]
}

const own = (row: Row, name: string): unknown => Object.hasOwn(row, name) ? row[name] : undefined

async function jsonChanges (
  model: CompiledModel, request: FastifyRequest, options: OperationOptions, patch: unknown, limits: PatchLimits
): Promise<[Row, SeenRow]> {
  const operations = refusing(() => readPatch(patch, limits))
  for (const [i, { path, from }] of operations.entries()) {
    for (const [name] of [path, from ?? []]) if (name !== undefined && model.hidden.has(name)) throw hiddenPath(i, `/${name}`)
  }
  const [document, seen] = await seenRow(model, request, options, limits)
  const result = refusing(() => applyPatch(document, operations, limits))
  if (!isObject(result)) throw refused(new PatchError('invalid', 'A row is an object', operations.length - 1, ''))
  const changes: Row = {}
  for (const name of new Set([...Object.keys(document), ...Object.keys(result)])) {
    if (Object.hasOwn(result, name) && deepEqual(own(document, name), result[name])) continue
    const at = operations.findIndex(({ path, from }) => path[0] === name || from?.[0] === name)
    mustChange(model, name, at === -1 ? lastRoot(operations) : at)
    // Rows have no way to lose a property but to have null in it.
    changes[name] = Object.hasOwn(result, name) ? result[name] : null
  }
  return [changes, seen]
}

/** An operation on the document as a whole changes what it does not name. */
const lastRoot = (operations: readonly Operation[]): number => operations.findLastIndex(({ path }) => path.length === 0)

/** @throws RequestError 422 for the id, the version and what the caller does not see */
function mustChange (model: CompiledModel, name: string, operation: number): void {
  if (model.hidden.has(name)) throw hiddenPath(operation, `/${name}`)
  if (model.key.some(part => part.name === name) || model.version?.name === name) {
    throw refused(new PatchError('invalid', `"${name}" of a row never changes by a patch`, operation, `/${name}`))
  }
}

const hiddenPath = (operation: number, path: string): RequestError =>
  refused(new PatchError('invalid', 'The path leads to a property that cannot be patched', operation, path))

function refusing<T> (work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof PatchError ? refused(error) : error
  }
}

function refused ({ kind, message, operation, path }: PatchError): RequestError {
  const text = `${message} (operation ${String(operation)}, path "${path}").`
  const details = { operation, path }
  switch (kind) {
    case 'invalid':
      return new RequestError(422, text, { name: 'UnprocessableEntityError', code: 'INVALID_PATCH', details })
    case 'inapplicable':
      return new RequestError(409, text, { name: 'ConflictError', code: 'PATCH_NOT_APPLICABLE', details })
    case 'test':
      return new RequestError(412, text, { name: 'PreconditionFailedError', code: 'PATCH_TEST_FAILED', details })
  }
}
