/** Settings of an application (`app.get`, `app.set`, `app.enable` …), those of Express among them. */
import { createRequire } from 'node:module'
import type { Application as ExpressApplication } from 'express'
import { withOwnEngines, type ViewClass } from './views.js'

/** Settings that Express itself reads and derives others from (`etag` → `etag fn`). */
const ofExpress = new Set([
  'etag',
  'etag fn',
  'query parser',
  'query parser fn',
  'subdomain offset',
  'trust proxy',
  'trust proxy fn',
  'views',
  'view',
  'view engine',
  'view cache',
  'json escape',
  'json replacer',
  'json spaces',
  'jsonp callback name',
  'x-powered-by'
])

export class Settings {
  /** All settings by name; also the registry's, so that models see what boot scripts set. */
  readonly values: Record<string, unknown>
  #express: ExpressApplication | undefined

  constructor (values: Record<string, unknown>) {
    this.values = values
  }

  get (name: string): unknown {
    if (Object.hasOwn(this.values, name)) {
      const value = this.values[name]
      if (!ofExpress.has(name)) return value
    }
    return ofExpress.has(name) ? this.express.get(name) : undefined
  }

  set (name: string, value: unknown): void {
    Object.defineProperty(this.values, name, { value, enumerable: true, configurable: true, writable: true })
    if (ofExpress.has(name)) this.#express?.set(name, value)
  }

  /**
   * An Express application with the same settings: it knows defaults, and renders views. Made when something of Express
   * is first asked for.
   */
  get express (): ExpressApplication {
    if (this.#express === undefined) {
      const express = createRequire(import.meta.url)('express') as typeof import('express')
      this.#express = express()
      this.#express.set('view', withOwnEngines(this.#express.get('view') as ViewClass))
      for (const [name, value] of Object.entries(this.values)) if (ofExpress.has(name)) this.#express.set(name, value)
    }
    return this.#express
  }
}
