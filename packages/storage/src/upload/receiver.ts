/** What receives an upload. */
import type { StorageDriver } from '../driver.js'
import type { StorageRequest } from '../http.js'
import type { NameRules } from '../names.js'
import type { StorageOptions } from '../settings.js'
import type { Reservation } from './storage-quota.js'
import type { UploadHookContext, UploadedFile } from './uploaded-file.js'

export interface Receiver {
  readonly driver: StorageDriver
  readonly names: NameRules
  readonly options: StorageOptions
  readonly container: string
  readonly room: Reservation
  before (context: UploadHookContext): Promise<void>
  after (file: UploadedFile, req: StorageRequest): Promise<void>
}
