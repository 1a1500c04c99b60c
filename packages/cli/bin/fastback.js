#!/usr/bin/env node
// Plain JavaScript and checked in, so that the package manager can link it before the first build.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const main = new URL('../bundle/bin.js', import.meta.url)
if (!existsSync(main)) {
  console.error('fastback: not built yet. In a checkout run: npm run setup && npm run build')
  process.exit(1)
}
// What Node (22.1 or later) has compiled once it finds again. Not in the common folder for temporary files, where
// others may write; where this one cannot be written to, nothing is kept.
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../.cache', import.meta.url)))
await import('#bin')
