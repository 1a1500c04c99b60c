/** `@fastback/loopback/launch`: runs an application folder as `node .` in it would. */
import { existsSync, readFileSync } from 'node:fs'
import Module from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Application, Server, ServerOptions } from '@fastback/boot'
import { isEsModule, type ApplicationServer } from '@fastback/boot/server'
import { applications } from './applications.js'
import { boot } from './boot.js'
import { NotStartedError } from './errors.js'
import { moduleNames } from './module-names.js'

export interface Launched extends Server {
  /** `http://127.0.0.1:3000` */
  readonly url: string
  /** Names of LoopBack's packages that code of the folder asked for, and that led here. */
  readonly mapped: readonly string[]
}

/**
 * Runs the folder's own server file where it has one that makes a LoopBack application, as the process's main module
 * and with the folder as its working directory; else boots the folder. Listens.
 *
 * ```js
 * const { app, url, stop } = await launch('my-app')
 * console.log(url) // 'http://127.0.0.1:3000'
 * await stop()
 * ```
 * @throws FBK_LOOPBACK_NOT_STARTED; what the folder's own code throws; errors of `@fastback/boot`
 */
export async function launch (dir: string, options: ServerOptions = {}): Promise<Launched> {
  const root = path.resolve(dir)
  const main = mainFile(root)
  prepare(root, main, options)
  return await untilFailure(listening(root, main))
}

/**
 * Boots the folder as `launch` would, LoopBack's names included, to see whether it starts: its own server file does not
 * run, and nothing listens. Stop what it returns.
 *
 * ```js
 * const { stop } = await load('my-app', { dataSources: { db: { connector: 'memory' } } })
 * await stop()
 * ```
 * @throws what the folder's own code throws; errors of `@fastback/boot`
 */
export async function load (dir: string, options: ServerOptions = {}): Promise<Pick<Server, 'app' | 'fastify' | 'stop'>> {
  const root = path.resolve(dir)
  prepare(root, undefined, options)
  const app = await untilFailure(bootOnly(root))
  const server = applications.serverOf(app) as ApplicationServer
  const stop = (): Promise<void> => server.stop()
  try {
    await server.open()
    return { app, fastify: server.fastify, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function prepare (root: string, main: string | undefined, options: ServerOptions): void {
  applications.serverOptions = options
  moduleNames.map()
  if (isEsModule(main ?? path.join(root, 'index.js'))) moduleNames.mapImports(root)
}

async function listening (root: string, main: string | undefined): Promise<Launched> {
  const app = main === undefined ? await bootOnly(root) : await runMain(root, main)
  const server = applications.serverOf(app) as ApplicationServer
  const { fastify } = server
  const start = (): Promise<string> => server.start()
  const leave = (): Promise<void> => server.leave()
  const stop = (): Promise<void> => server.stop()
  try {
    const isOurs = main === undefined || server.isStarted || !hasOtherServer()
    const url = isOurs ? await start() : await addressOf(app, server)
    return { app, fastify, start, leave, stop, url, mapped: moduleNames.used }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Whether code listens with a server of its own making (`https.createServer(keys, app)`). */
const hasOtherServer = (): boolean => process.getActiveResourcesInfo().includes('TCPServerWrap')

/** Where such a server should be found; it is known by the application's settings alone. */
async function addressOf (app: Application, server: ApplicationServer): Promise<string> {
  await server.open()
  const host = app.get('host') as string | undefined
  return `http://${host === undefined || host === '0.0.0.0' ? '127.0.0.1' : host}:${String(app.get('port'))}`
}

async function bootOnly (dir: string): Promise<Application> {
  const app = applications.create()
  await boot(app, dir)
  return app
}

/** The folder's own server, where it is code of LoopBack's kind. */
function mainFile (root: string): string | undefined {
  return ['server/server.js', 'server/server.mjs', 'server/index.js', 'server.js', 'server.mjs', 'index.js']
    .map(file => path.join(root, file))
    .find(file => existsSync(file) && namesLoopback.test(readFileSync(file, 'utf8')))
}

const namesLoopback = /\b(?:require\(|from|import\(?)\s*['"]loopback['"]/

/** How long code may take, in milliseconds, until it boots its application, or makes it listen. */
const patience = 10_000

/** @returns the application that the file made, booted */
async function runMain (root: string, file: string): Promise<Application> {
  process.chdir(root)
  process.argv[1] = file
  await whileBusy(loaded(file).then(begun))
  const app = applications.last
  if (app === undefined) throw new NotStartedError(path.relative(root, file), 'it makes no application with loopback().')
  await booted(app)
  return app
}

async function loaded (file: string): Promise<void> {
  if (isEsModule(file)) await import(pathToFileURL(file).href)
  else (Module as unknown as { _load (file: string, parent: null, isMain: boolean): unknown })._load(file, null, true)
}

/** Some server files make their application, or boot it, in a later tick: they read secrets first, or wait. */
async function begun (): Promise<void> {
  const app = await applications.lastOrNext
  const server = applications.serverOf(app) as ApplicationServer
  if (server.isLoaded || server.isStarted) return
  await new Promise<void>(resolve => { for (const event of ['booted', 'started']) app.once(event, resolve) })
}

/** Waits for something as long as the process has work to do, and not for ever. */
async function whileBusy (something: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let idle: () => void = () => {}
  const given = new Promise<void>(resolve => {
    idle = resolve
    process.once('beforeExit', idle)
    timer = setTimeout(resolve, patience).unref()
  })
  await Promise.race([something, given])
  process.removeListener('beforeExit', idle)
  clearTimeout(timer)
}

/**
 * What the folder's code throws in a callback (`if (err) throw err`) is how the launch ends. Where its folder could not
 * be loaded, what it throws after that (`app.models.Note` is not there) is for that reason.
 */
async function untilFailure<T> (running: Promise<T>): Promise<T> {
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_resolve, reject) => { fail = reject })
  process.on('uncaughtException', fail)
  try {
    return await Promise.race([running, failed])
  } catch (error) {
    const cause = firstCause() ?? error
    await abandonLast()
    throw cause
  } finally {
    process.removeListener('uncaughtException', fail)
  }
}

async function abandonLast (): Promise<void> {
  const { last } = applications
  if (last !== undefined) await applications.serverOf(last)?.abandon()
}

function firstCause (): unknown {
  const { last } = applications
  return last === undefined ? undefined : applications.serverOf(last)?.failure?.error
}

/** Waits until the folder is loaded; at once where `boot()` had nothing to wait for. */
async function booted (app: Application): Promise<void> {
  await (applications.serverOf(app) as ApplicationServer).loaded()
  // What `boot()` calls back runs first: it may add to the application, and makes it listen.
  await new Promise(resolve => { setImmediate(resolve) })
  await new Promise(resolve => { setImmediate(resolve) })
}
