import { pipeline } from 'node:stream/promises'
import type { Transform } from 'node:stream'
import { bareType, isForm, nameIn, readForm, type FilePart } from '@fastback/rest/multipart'
import type { StagedFile } from '../driver.js'
import { nothingUploaded } from '../errors.js'
import type { StorageRequest, StorageResponse } from '../http.js'
import { checkName } from '../names.js'
import type { StorageOptions } from '../settings.js'
import { admit } from './admit.js'
import { ByteCount, CheckedBytes } from './checked-bytes.js'
import { Stages } from './stages.js'
import type { Receiver } from './receiver.js'
import type { UploadedFile } from './uploaded-file.js'

/** What a form brought, by the names of its fields. */
export interface UploadedForm {
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>
  readonly fields: Readonly<Record<string, readonly string[]>>
}

interface Received { readonly file: UploadedFile, readonly staged: StagedFile }

/**
 * Takes a form: its files go to the provider as they come, and take their places together once the form has been read
 * to its end and every check has passed (storage.md, SS-08). Whatever goes wrong leaves nothing behind.
 */
export async function receive (
  receiver: Receiver, req: StorageRequest, res: StorageResponse | undefined
): Promise<UploadedForm> {
  if (hasNoBody(req)) throw nothingUploaded()
  const { options } = receiver
  const received: Array<Received | undefined> = []
  const stages = new Stages()
  const fields = Object.create(null) as Record<string, string[]>
  let files = 0
  try {
    await readForm(req, {
      async file (part) {
        const place = files++
        const { field, filename, type, stream } = part
        received[place] = await take(receiver, { field, name: nameIn(filename), type, stream }, req, res, stages)
      },
      field (name, value) { (fields[name] ??= []).push(value) }
    }, limitsOf(options))
    const complete = received.filter(one => one !== undefined)
    if (complete.length === 0) throw nothingUploaded()
    await commitAll(receiver, complete)
    for (const { file } of complete) await receiver.after(file, req)
    return { files: byField(complete), fields }
  } catch (error) {
    await stages.giveUp()
    // What a client still sends is not read: the connection ends with the response.
    if (res !== undefined && !res.headersSent && !req.complete) res.setHeader('connection', 'close')
    throw error
  }
}

/**
 * Files take their places together: none before all can (a commit looks for itself as well), and where one fails in the
 * middle, those before it are removed. A file that took the place of an older one stays: the older one is gone.
 */
async function commitAll ({ driver, container }: Receiver, all: readonly Received[]): Promise<void> {
  const isOne = all.length === 1
  if (!isOne) for (const { staged } of all) await staged.check()
  const added: string[] = []
  try {
    for (const { file, staged } of all) {
      const isNew = !isOne && await driver.stat(container, file.name) === undefined
      const { providerResponse } = await staged.commit()
      if (isNew) added.push(file.name)
      if (providerResponse !== undefined) file.providerResponse = providerResponse
    }
  } catch (error) {
    await Promise.allSettled(added.map(async name => { await driver.remove(container, name) }))
    throw error
  }
}

/** A file on its way, by the name that it was given. */
export interface NamedPart extends Omit<FilePart, 'filename'> { readonly name: string }

/**
 * Hands a file to the provider as it comes. Anyone who calls commits what is staged, or gives up `stages`.
 * @throws RequestError 400, 413, 415, 507
 */
export async function take (
  { driver, names, options, container, room, before }: Receiver,
  { field, name: given, type, stream }: NamedPart,
  req: StorageRequest,
  res: StorageResponse | undefined,
  stages: Stages
): Promise<Received> {
  const { name: stored, acl, maxFileSize } = await admit(
    { container, name: given, type, field }, { names, options }, req, res
  )
  const through: Transform[] = []
  const file = { name: stored, type, field, ...(stored === given ? {} : { originalFilename: given }) }
  await before({ container, file, req, pipeThrough: transform => { through.push(transform) } })
  checkName('file', file.name, names)
  const settings = options as Readonly<Record<string, unknown>>
  const staged = await driver.stage(container, file.name, { type, acl, settings })
  await stages.add(staged)
  const checked = new CheckedBytes({
    maxFileSize,
    sniffAs: options.sniff === true ? bareType(type) : undefined,
    reserve: bytes => { room.take(bytes) }
  })
  // What is stored is what comes out at the end.
  const last = through.length === 0 ? checked : new ByteCount()
  await pipeline([stream, checked, ...through, ...(last === checked ? [] : [last]), staged.writable])
  const uploaded = {
    container,
    name: file.name,
    type,
    field,
    ...(file.name === given ? {} : { originalFilename: given }),
    ...(acl === undefined ? {} : { acl }),
    size: last.size
  }
  return { file: uploaded, staged }
}

/** What is not said is the reader's own default. */
const limitsOf = (options: StorageOptions) => Object.fromEntries(Object.entries({
  files: options.maxFiles,
  fields: options.maxFields,
  fieldsSize: options.maxFieldsSize,
  fieldNameSize: options.maxFieldNameSize,
  totalSize: options.maxTotalSize,
  idleTimeout: options.uploadTimeout
}).filter(([, value]) => value !== undefined))

const hasNoBody = ({ headers }: StorageRequest): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0' && !isForm(headers)

/** Without a prototype: the names of fields are a client's (storage.md, SS-12). */
function byField (received: readonly Received[]): Record<string, UploadedFile[]> {
  const files = Object.create(null) as Record<string, UploadedFile[]>
  for (const { file } of received) (files[file.field] ??= []).push(file)
  return files
}
