#!/usr/bin/env node
// Plain JavaScript and checked in, so that the package manager can link it before the first build.
import { existsSync } from 'node:fs'

const main = new URL('../bundle/bin.js', import.meta.url)
if (!existsSync(main)) {
  console.error('fastback: not built yet. In a checkout run: npm run setup && npm run build')
  process.exit(1)
}
await import('#bin')
