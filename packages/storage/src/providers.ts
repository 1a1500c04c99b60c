/** Drivers by the providers that data sources name (storage.md, ST-03, SD-15, SD-16). */
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ConnectorContext, DataSourceSettings } from '@fastback/core'
import type { StorageDriver } from './driver.js'
import { azureSettings } from './azure/azure-settings.js'
import { ProviderError } from './errors.js'
import { googleSettings } from './google/google-settings.js'
import { LocalDriver } from './local/local-driver.js'
import type { NameRules } from './names.js'
import { s3Settings } from './s3/s3-settings.js'
import { rootOf } from './settings.js'

/** Makes a driver of a data source's settings. */
export type DriverFactory =
  (settings: DataSourceSettings, context: ConnectorContext) => StorageDriver | Promise<StorageDriver>

interface Provider {
  /** Names that data sources may use as well. */
  readonly otherNames: readonly string[]
  /** Whether it signs addresses itself; for others the application does. */
  readonly signs: boolean
  make (settings: DataSourceSettings, context: ConnectorContext, names: NameRules): Promise<StorageDriver>
}

const providers: Readonly<Record<string, Provider>> = {
  filesystem: {
    otherNames: ['local'],
    signs: false,
    async make (settings, { dataSource, baseDir }, names) {
      const { followLinks, createRoot, resumable } = settings as Partial<Record<string, boolean>>
      return new LocalDriver(dataSource, {
        ...names,
        root: rootOf(settings, dataSource, baseDir),
        followLinks: followLinks === true,
        createRoot: createRoot === true,
        resumable: resumable === true
      })
    }
  },
  amazon: {
    otherNames: ['s3'],
    signs: true,
    async make (settings, { dataSource }, names) {
      const { S3Driver } = await import('./s3/s3-driver.js')
      return new S3Driver(dataSource, s3Settings(settings, dataSource), names)
    }
  },
  google: {
    otherNames: ['gcs'],
    signs: true,
    async make (settings, { dataSource }, names) {
      const { GoogleDriver } = await import('./google/google-driver.js')
      return new GoogleDriver(dataSource, googleSettings(settings, dataSource), names)
    }
  },
  azure: {
    otherNames: [],
    signs: true,
    async make (settings, { dataSource }, names) {
      const { AzureDriver } = await import('./azure/azure-driver.js')
      return new AzureDriver(dataSource, azureSettings(settings, dataSource), names)
    }
  }
}

/** The provider of a name; undefined for a package. */
function providerOf (name: string): Provider | undefined {
  if (Object.hasOwn(providers, name)) return providers[name]
  return Object.values(providers).find(({ otherNames }) => otherNames.includes(name))
}

/** Providers of the original that are gone, and the way on. */
const gone: Readonly<Record<string, string>> = {
  rackspace:
    'Rackspace Cloud Files is not supported. Use a store that speaks S3 ("provider": "amazon" with an "endpoint"), or a driver of your own.',
  openstack:
    'plain Swift is not supported. Turn on its S3 middleware and use "provider": "amazon" with an "endpoint", or a driver of your own.'
}

/**
 * Whether a provider is known to sign addresses itself. One whose package has to be loaded first is not, and is asked
 * when it is there.
 */
export const signsItself = ({ provider }: DataSourceSettings): boolean => typeof provider === 'string'
  ? providerOf(provider)?.signs === true
  : typeof (provider as StorageDriver | undefined)?.presign === 'function'

const methods = [
  'connect', 'close', 'containers', 'container', 'create', 'destroy', 'files', 'stat', 'read', 'stage', 'remove'
] as const satisfies ReadonlyArray<keyof StorageDriver>

/**
 * The driver of a data source.
 * @throws FBK_STORAGE_PROVIDER for a provider that is not known or not supported
 */
export async function driverOf (
  settings: DataSourceSettings, context: ConnectorContext, names: NameRules
): Promise<StorageDriver> {
  const { provider = 'filesystem' } = settings
  if (typeof provider !== 'string') return checked(provider, context)
  if (Object.hasOwn(gone, provider)) throw new ProviderError(context.dataSource, gone[provider] as string)
  const known = providerOf(provider)
  if (known !== undefined) return await known.make(settings, context, names)
  const exports = await load(provider, context)
  const factory = exports.default ?? exports.storageDriver ?? exports
  return typeof factory === 'function'
    ? checked(await (factory as DriverFactory)(settings, context), context)
    : checked(factory, context)
}

async function load (name: string, { dataSource, baseDir }: ConnectorContext): Promise<Record<string, unknown>> {
  let file: string
  try {
    file = createRequire(path.join(baseDir, 'package.json')).resolve(name)
  } catch {
    const names = Object.entries(providers).flatMap(([name, { otherNames }]) => [name, ...otherNames])
    const known = names.sort().join('", "')
    throw new ProviderError(
      dataSource, `there is no provider "${name}": "${known}" are built in, any other name is a package, which is not installed.`
    )
  }
  return await import(pathToFileURL(file).href) as Record<string, unknown>
}

function checked (given: unknown, { dataSource }: ConnectorContext): StorageDriver {
  const driver = given as Partial<Record<string, unknown>> | null
  const missing = driver === null || typeof driver !== 'object'
    ? [...methods]
    : methods.filter(name => typeof driver[name] !== 'function')
  if (missing.length === 0) return given as StorageDriver
  const isOld = typeof driver?.createClient === 'function'
  throw new ProviderError(
    dataSource,
    isOld
      ? 'the provider has the form of pkgcloud ("createClient"), which is not supported. Write a driver: an object with the methods of "StorageDriver" (see the README of @fastback/storage).'
      : `the provider is no driver: it lacks ${missing.join(', ')}.`
  )
}
