/** Express, an optional package: only Express code of an application needs it. */
import { createRequire } from 'node:module'
import { ExpressMissingError } from '../errors/startup-errors.js'

type Express = typeof import('express')

const require = createRequire(import.meta.url)

/**
 * Express itself, loaded now.
 *
 * ```js
 * const express = loadExpress()
 * const router = express.Router()
 * ```
 * @throws FBK_REST_EXPRESS_MISSING
 */
export function loadExpress (load: (name: string) => unknown = require): Express {
  try {
    return load('express') as Express
  } catch (error) {
    const { code, message } = error as { code?: unknown, message?: string }
    // A module that Express itself misses is another fault.
    if (code === 'MODULE_NOT_FOUND' && message?.includes("'express'") === true) throw new ExpressMissingError()
    throw error
  }
}
