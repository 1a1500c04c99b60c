import { PassThrough } from 'node:stream'
import { afterTheRest, fileTooLarge } from '@fastback/rest/multipart'
import { cutOff, encodedBody, fileTooSlow } from '../errors.js'
import type { StorageRequest, StorageResponse } from '../http.js'
import { take, type UploadedForm } from '../upload/receive.js'
import type { Receiver } from '../upload/receiver.js'
import { Stages } from '../upload/stages.js'

/** Milliseconds in which a byte must come, unless the data source says otherwise. */
const defaultTimeout = 30_000

/**
 * Takes a body that is one file, as `receive` takes those of a form: it goes to the provider as it comes, and takes its
 * place once it is whole and every check has passed.
 * @param name checked again, as every name is
 * @returns a reader for `Storage.upload`; it throws RequestError 400, 408, 413, 415, 507
 */
export const receiveBody = (name: string) => async (
  receiver: Receiver, req: StorageRequest, res: StorageResponse | undefined
): Promise<UploadedForm> => {
  const { options: { maxFileSize, uploadTimeout = defaultTimeout } } = receiver
  const { headers } = req
  const stages = new Stages()
  const stream = new PassThrough()
  // Errors of the stream are those of `take`, which may come later.
  stream.on('error', () => {})
  const idle = setTimeout(() => { stream.destroy(fileTooSlow()) }, uploadTimeout)
  const came = (): void => { idle.refresh() }
  const gone = (): void => { if (!req.complete) stream.destroy(cutOff()) }
  try {
    if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') throw encodedBody()
    if (typeof maxFileSize === 'number' && Number(headers['content-length']) > maxFileSize) throw fileTooLarge(maxFileSize)
    if (req.destroyed) throw cutOff()
    req.on('data', came).on('close', gone).on('error', gone).pipe(stream)
    const type = headers['content-type'] ?? 'application/octet-stream'
    const { file, staged } = await take(receiver, { field: 'file', name, type, stream }, req, res, stages)
    const { providerResponse } = await staged.commit()
    if (providerResponse !== undefined) file.providerResponse = providerResponse
    await receiver.after(file, req)
    return { files: { file: [file] }, fields: {} }
  } catch (error) {
    req.unpipe(stream)
    stream.destroy()
    await stages.giveUp()
    if (!req.complete) {
      res?.setHeader('connection', 'close')
      await new Promise<void>(resolve => { afterTheRest(req, resolve) })
    }
    throw error
  } finally {
    clearTimeout(idle)
    req.off('data', came).off('close', gone).off('error', gone)
  }
}
