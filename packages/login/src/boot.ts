/**
 * What `@fastback/boot` finds here: the models, the component under both of its names, and the set-up of folders that
 * have providers.json and set nothing up. What logins are made of is loaded when there are some.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { BootExtension, HostApplication } from '@fastback/core'
import type { FolderApplication } from './folder-host.js'
import { setUpOf } from './set-up.js'
import { loginModels } from './models/index.js'
import { InvalidOptionsError } from './errors.js'

type Entries = Readonly<Record<string, unknown>>

async function setUp (app: HostApplication, given: unknown): Promise<void> {
  const options = { ...(given as Record<string, unknown> | undefined) }
  const { providers } = options
  const { PassportConfiguration } = await import('./configurator.js')
  const configuration = new PassportConfiguration(app as FolderApplication, { ...app.get('login') as object | undefined, ...options })
  configuration.init()
  configuration.setupModels({})
  const entries = typeof providers === 'string' ? readProviders(app, providers) : providers as Entries | undefined
  for (const [name, entry] of entriesOf(entries)) configuration.configureProvider(name, entry)
  configuration.addEndpoints()
}

function entriesOf (entries: Entries | undefined): Array<[string, unknown]> {
  if (Array.isArray(entries)) throw new InvalidOptionsError('providers are an object, by name, and no list.')
  return Object.entries(entries ?? {})
}

function readProviders ({ registry }: HostApplication, file: string): Entries {
  const found = path.resolve(registry.core.baseDir, file)
  return substituted(JSON.parse(readFileSync(found, 'utf8'))) as Entries
}

/** `${NAME}` of the environment, as in other files. */
function substituted (value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{(\w+)\}/g, (text, name: string) => process.env[name] ?? text)
  }
  if (Array.isArray(value)) return value.map(substituted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, substituted(each)]))
}

const kAsked = Symbol('fastback.login.asked')

/** Whether code or a component made logins. */
const isSetUp = (app: HostApplication): boolean => setUpOf(app).logins !== undefined

const packageName = 'loopback-component-passport'

/** Whether a folder has providers, names the package, and set nothing up itself (LG-03). */
function forgotten (app: HostApplication): { file: string, entries: Entries } | undefined {
  const server = app.registry.core.baseDir
  const roots = [server, path.dirname(server)]
  const file = ['providers.json', '../providers.json', 'server/providers.json'].map(each => path.join(server, each)).find(existsSync)
  if (file === undefined || !roots.some(dependsOnPackage)) return undefined
  return { file, entries: readProviders(app, file) }
}

function dependsOnPackage (folder: string): boolean {
  try {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<string, Entries | undefined>
    return [manifest.dependencies, manifest.devDependencies].some(each => each?.[packageName] !== undefined || each?.['@fastback/login'] !== undefined)
  } catch {
    return false
  }
}

export const boot = {
  models: loginModels,
  components: { '@fastback/login': setUp, [packageName]: setUp },

  /** Before the application opens: its own code has run, whichever it is. */
  async beforeOpen (app) {
    const once = app.registry.core.slot(kAsked, () => ({ asked: false }))
    if (once.asked) return
    once.asked = true
    if (!isSetUp(app)) {
      const found = forgotten(app)
      if (found === undefined) return
      app.registry.core.log.info({ file: found.file }, 'login: providers are set up from the file, as nothing else sets them up')
      const sessions = Object.fromEntries(entriesOf(found.entries).map(([name, entry]) =>
        [name, entry !== null && typeof entry === 'object' ? { session: true, ...entry } : entry]))
      await setUp(app, { providers: sessions })
    }
    await setUpOf(app).logins?.().prepare()
    await Promise.all(setUpOf(app).loading)
  },

  async register (fastify, { app }) {
    if (!isSetUp(app)) return
    const { showUser } = await import('./fastify-user.js')
    const logins = setUpOf(app).logins?.()
    if (logins !== undefined) showUser(fastify, logins, false)
  }
} satisfies BootExtension
