/**
 * Lets code say `require('loopback-boot')`: LoopBack's names lead to this package, from an application's own files and
 * from packages that expect the application's framework, even where a LoopBack is installed beside them.
 */
import { existsSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import type { ImportNames } from './import-names.js'
import { mayImport } from './named-in-folder.js'

/** Files of this package by the names that code requires. */
const files: ReadonlyMap<string, string> = new Map([
  ['loopback', '../cjs/index.cjs'],
  ['loopback-boot', '../cjs/boot.cjs'],
  ['loopback-datasource-juggler', '../cjs/juggler.cjs'],
  ['strong-remoting', '../cjs/remoting.cjs'],
  ['loopback-component-push', '../cjs/push.cjs'],
  ['loopback-component-storage', '../cjs/storage.cjs'],
  ['loopback-component-passport', '../cjs/passport.cjs'],
  ['loopback-component-oauth2', '../cjs/oauth2.cjs'],
  ['loopback-connector-remote', '../cjs/connector-remote.cjs'],
  ['loopback-connector-rest', '../cjs/connector-rest.cjs'],
  ['loopback-connector-soap', '../cjs/connector-soap.cjs']
])

/** Entries of this package by the names that code imports. */
const modules: ReadonlyMap<string, string> = new Map([
  ['loopback', '@fastback/loopback'],
  ['loopback-boot', '@fastback/loopback/boot'],
  ['loopback-datasource-juggler', '@fastback/loopback/juggler'],
  ['strong-remoting', '@fastback/loopback/remoting'],
  ['loopback-component-push', '@fastback/loopback/push'],
  ['loopback-component-storage', '@fastback/loopback/storage'],
  ['loopback-component-passport', '@fastback/loopback/passport'],
  ['loopback-component-oauth2', '@fastback/loopback/oauth2'],
  ['loopback-connector-remote', '@fastback/loopback/connector-remote'],
  ['loopback-connector-rest', '@fastback/loopback/connector-rest'],
  ['loopback-connector-soap', '@fastback/loopback/connector-soap']
])

/** Files of this package that stand for packages which an application may have itself, and does not. */
const stands: ReadonlyMap<string, string> = new Map([['loopback-connector', '../cjs/connector.cjs']])

/**
 * Files within LoopBack's packages that applications require (`loopback/common/models/user.json`,
 * `loopback/server/middleware/rest`): here they lie below `cjs`, by the same names.
 */
const within = /^(?:loopback|loopback-datasource-juggler)\/[\w./-]+$/

function fileOf (request: string): string | undefined {
  const file = files.get(request)
  if (file !== undefined || !within.test(request)) return file
  const path = `../cjs/${request.replace(/\.js$/, '')}.cjs`
  return existsSync(here(path)) ? path : undefined
}

/**
 * Packages that LoopBack brought along, which applications require without naming them in their package.json; they are
 * on this machine with Express.
 */
const along: ReadonlySet<string> = new Set([
  'express', 'body-parser', 'cookie', 'cookie-signature', 'debug', 'depd', 'http-errors', 'ms', 'qs', 'send', 'serve-static'
])

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

type Resolve = (request: string, parent: { filename?: string | null } | undefined, ...rest: unknown[]) => string

/** What Node.js resolves `require` with; packages that stand in for others replace it, as it has no other door. */
const loader = Module as unknown as { _resolveFilename: Resolve, readonly _cache: Readonly<Record<string, unknown>> }

class ModuleNames {
  readonly #used = new Set<string>()
  #mapped = false
  #imported = false

  /** Names that were asked for so far. */
  get used (): string[] {
    return [...this.#used]
  }

  /** Whether a `loopback-boot` was loaded that is not this package. */
  get hasForeignBoot (): boolean {
    const own = here('..')
    return Object.keys(loader._cache).some(file =>
      /[\\/]node_modules[\\/]loopback-boot[\\/](?!node_modules)/.test(file) && !file.startsWith(own))
  }

  /**
   * Maps names in `import` too, once: for folders whose ES modules may import one, as it takes a thread of its own
   * (a tenth of what a start costs, and 11 MB).
   */
  mapImports (root: string): void {
    if (this.#imported || !mayImport(root, [...modules.keys()])) return
    this.#imported = true
    const { port1, port2 } = new MessageChannel()
    port1.on('message', (name: string) => { this.#used.add(name) })
    port1.unref()
    const data: ImportNames = {
      files: new Map([...modules].map(([name, entry]) => [name, import.meta.resolve(entry)])),
      own: new URL('..', import.meta.url).href,
      used: port2
    }
    Module.register('./import-names.js', import.meta.url, { data, transferList: [port2] })
  }

  /** Maps the names for the whole process, once. This package's own files ask for the real ones. */
  map (): void {
    if (this.#mapped) return
    this.#mapped = true
    const used = this.#used
    const own = here('..')
    const before = loader._resolveFilename
    loader._resolveFilename = function (this: unknown, request, parent, ...rest) {
      const file = fileOf(request)
      const isOwn = parent?.filename?.startsWith(own) === true
      if (file === undefined || isOwn) {
        try {
          return before.call(this, request, parent, ...rest)
        } catch (error) {
          if (!isNotFound(error)) throw error
          if (along.has(request)) return withExpress(request)
          const stand = stands.get(request)
          if (stand !== undefined && !isOwn) return here(stand)
          throw error
        }
      }
      used.add(request.split('/', 1)[0] as string)
      return here(file)
    }
  }
}

const isNotFound = (error: unknown): boolean => (error as { code?: unknown }).code === 'MODULE_NOT_FOUND'

/** The file of Express, or of a package that it depends on. */
function withExpress (name: string): string {
  const express = createRequire(createRequire(import.meta.url).resolve('@fastback/boot/package.json')).resolve('express')
  return name === 'express' ? express : createRequire(express).resolve(name)
}

/** LoopBack's names lead here in the whole process, or in none of it. */
export const moduleNames = new ModuleNames()
