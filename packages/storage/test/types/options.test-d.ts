/**
 * Settings of storage. Checked by `tsc` alone (`npm run types`): every line below fails to compile when a type is not
 * what it should be.
 *
 * What no type can know: names of settings, which may be those of any provider; settings of a data source in
 * `app.register(core, { dataSources })`, unless it says `satisfies StorageSettings`: those of connectors are their own.
 */
import type { FastifyInstance } from 'fastify'
import { core } from '@fastback/core'
import { storageConnector, StorageService, type FileAccessContext, type IncomingFile, type StorageSettings } from '@fastback/storage'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const use = (..._values: unknown[]): void => {}
declare const app: FastifyInstance

async function right (): Promise<void> {
  const settings = {
    provider: 'filesystem',
    root: './files',
    nameConflict: 'makeUnique',
    disposition: 'inline',
    maxFileSize: 5_000_000,
    allowedContentTypes: ['image/png'],
    containerOwner: { model: 'User' },
    quota: { total: 5 },
    fileAccess: ({ method, principal }: FileAccessContext) => method === 'getFile' || principal !== undefined,
    keyOfAnotherProvider: 'x'
  } satisfies StorageSettings
  await app.register(core, { dataSources: { files: { connector: storageConnector, ...settings } } })
  const storage = StorageService({
    root: '/srv/files',
    maxFileSize: async file => {
      expect<Equal<typeof file, IncomingFile>>()
      return file.type.startsWith('image/') ? 5_000_000 : 1_000
    },
    getFilename: ({ originalFilename, field }) => originalFilename ?? field,
    fileAccess: async context => {
      expect<Equal<typeof context, FileAccessContext>>()
      return context.principal?.userId === 1
    }
  })
  use(await storage.getFiles('reports'))
}

function wrong (): void {
  // @ts-expect-error a folder's name is a text
  StorageService({ root: 5 })
  // @ts-expect-error a name, or a driver
  StorageService({ provider: 5 })
  // @ts-expect-error a driver has its methods
  StorageService({ provider: { connect () {} } })
  // @ts-expect-error none of its words
  StorageService({ nameConflict: 'unique' })
  // @ts-expect-error none of its words
  StorageService({ disposition: 'download' })
  // @ts-expect-error bytes are a number
  StorageService({ maxFileSize: '5mb' })
  // @ts-expect-error it gives a number
  StorageService({ maxFileSize: () => '5mb' })
  // @ts-expect-error types are a list
  StorageService({ allowedContentTypes: 'image/png' })
  // @ts-expect-error it gives a text
  StorageService({ getFilename: () => 5 })
  // @ts-expect-error no such member of a file
  StorageService({ getFilename: ({ filename }) => filename })
  // @ts-expect-error no such member
  StorageService({ quota: { containers: 5 } })
  // @ts-expect-error none of its words
  StorageService({ containerOwner: 'user' })
  // @ts-expect-error it says yes or no
  StorageService({ fileAccess: () => 'yes' })
  // @ts-expect-error it is told one context
  StorageService({ fileAccess: (container: string) => container === 'open' })
  // @ts-expect-error neither true nor false
  StorageService({ presign: 'yes' })
  // @ts-expect-error bytes are a number, where the settings stand elsewhere
  use({ root: 'x', maxFileSize: '5mb' } satisfies StorageSettings)
}
use(right, wrong)
