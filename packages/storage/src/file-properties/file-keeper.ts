/** Keeps the files of the rows of one data source's storage. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FileReference, IncomingFile, ModelClass } from '@fastback/core'
import { bareType, fileLimits } from '@fastback/rest/multipart'
import type { StorageRequest } from '../http.js'
import { checkName } from '../names.js'
import { signsItself } from '../providers.js'
import { defaultPresignTtl, type Storage, type StorageHooks } from '../service.js'
import type { StorageOptions } from '../settings.js'
import type { StorageConnector } from '../storage-connector.js'
import { anyType } from '../upload/admit.js'
import { take, type UploadedForm } from '../upload/receive.js'
import type { Receiver } from '../upload/receiver.js'
import { Stages } from '../upload/stages.js'
import { openToken, signToken, type SentFile } from './sent-file.js'
import { sentName, storedName } from './stored-name.js'
import type { FileLocation } from './file-location.js'

/** Where the files of a property are: its `container`, else the plural of the model in lower case. */
export function containerOf ({ Model, property }: FileLocation): string {
  const { container } = property.definition
  return typeof container === 'string' ? container : Model.pluralModelName.toLowerCase()
}

export class FileKeeper {
  /** @param hooksOf observers of `before upload`, `after upload` and `before download` of a model */
  constructor (readonly connector: StorageConnector, readonly hooksOf: (Model: ModelClass) => StorageHooks) {}

  /** Whether the provider signs no addresses, so that models do. */
  get signsItself (): boolean {
    return !signsItself(this.connector.settings)
  }

  /**
   * Stores a file under a name that nobody else has.
   * @throws RequestError 400, 413, 415, 503, 507
   */
  async save (place: FileLocation, incoming: IncomingFile): Promise<FileReference> {
    const { name = 'file', type } = incoming
    const storage = await this.connector.storage()
    checkName('file', name, storage.names)
    const id = randomUUID()
    const declared = type === undefined || type === '' ? anyType : type
    const field = place.property.name
    const hooks = this.hooksOf(place.Model)
    const shown = { name, type: declared, field }
    const form = await storage.upload(
      containerOf(place),
      // Code in the process has no request: hooks of files in rows get none.
      undefined as unknown as StorageRequest,
      undefined,
      this.optionsOf(place),
      {
        ...hooks,
        beforeUpload: async context => { await hooks.beforeUpload({ ...context, file: shown }) },
        afterUpload: async ({ file, req }) => { await hooks.afterUpload({ file: { ...file, name: shown.name }, req }) }
      },
      undefined,
      receiver => receiveOne(receiver, {
        field, name: storedName(id, name), type: declared, stream: bytesOf(incoming)
      })
    )
    checkName('file', shown.name, storage.names)
    return { id, name: shown.name, type: bareType(declared), size: form.files[field]?.[0]?.size ?? 0 }
  }

  /**
   * Makes a file of a row of one that was sent to a signed address. It is stored anew: anyone who has the address can
   * write there until it ends.
   * @returns undefined for what was not given out, is over, or has nothing behind it
   */
  async saveSent (
    place: FileLocation, token: string
  ): Promise<{ reference: FileReference, sent: string } | undefined> {
    const file = openToken(this.connector.signer, place, token)
    if (file === undefined) return undefined
    const { driver } = await this.connector.storage()
    const [container, sent] = [containerOf(place), sentName(file.id, file.name)]
    const stat = await driver.container(container) === undefined ? undefined : await driver.stat(container, sent)
    if (stat === undefined) return undefined
    const bytes = await driver.read(container, sent, {})
    const reference = await this.save(place, { name: file.name, type: file.type, stream: () => bytes })
    return { reference, sent }
  }

  /** What a client needs to send a file to, and how the row names it then. */
  async address (
    place: FileLocation, name: unknown, type: string | undefined
  ): Promise<{ token: string, file: SentFile, storage: Storage }> {
    const storage = await this.connector.storage()
    checkName('file', name, storage.names)
    await storage.enter(containerOf(place), { ...storage.options, createContainers: true }, undefined)
    const expires = Math.floor(Date.now() / 1000) + (this.connector.presignTtl ?? defaultPresignTtl)
    const file = { id: randomUUID(), name, type: type ?? anyType, expires }
    return { token: signToken(this.connector.signer, place, file), file, storage }
  }

  /** What cannot be removed is left for `sweepFiles`: the row does not have it any more. */
  async remove (place: FileLocation, stored: string): Promise<void> {
    try {
      const { driver } = await this.connector.storage()
      await driver.remove(containerOf(place), stored)
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return
      this.connector.context.log.warn(
        {
          err: error,
          dataSource: this.connector.context.dataSource,
          model: place.Model.modelName,
          property: place.property.name
        },
        'A file that no row has was not removed; "sweepFiles" of the connector removes it'
      )
    }
  }

  /** Settings of the property's uploads. The names of the data source's own uploads are not for files of rows. */
  optionsOf ({ property: { definition } }: FileLocation): StorageOptions {
    const { maxSize, accept } = fileLimits({ ...definition })
    return {
      getFilename: undefined,
      nameConflict: undefined,
      createContainers: true,
      ...(definition.maxSize === undefined ? {} : { maxFileSize: maxSize }),
      ...(accept.length === 0 ? {} : { allowedContentTypes: accept, sniff: true })
    }
  }
}

type Given = Parameters<typeof take>[1]

/** Reads a file to its end and puts it in its place. Whatever goes wrong leaves nothing behind. */
async function receiveOne (receiver: Receiver, given: Given): Promise<UploadedForm> {
  const stages = new Stages()
  const req = undefined as unknown as StorageRequest
  try {
    const { file, staged } = await take(receiver, given, req, undefined, stages)
    await staged.check()
    await staged.commit()
    await receiver.after(file, req)
    return { files: { [given.field]: [file] }, fields: {} }
  } catch (error) {
    given.stream.destroy()
    await stages.giveUp()
    throw error
  }
}

function bytesOf (file: IncomingFile): Readable {
  const bytes = file.stream()
  return bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false })
}
