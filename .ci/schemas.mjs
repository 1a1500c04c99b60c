// What is made of the vocabulary that definitions are checked by: JSON Schemas of the files of an application folder,
// for editors (packages/boot/schemas/*.json), and the table of what wrong names and values give
// (packages/docs/definition-keys.md). The packages must have been built.
// node .ci/schemas.mjs           ends with 1 when a file is not what the vocabulary says
// node .ci/schemas.mjs --write   writes them
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { definitionKeys } from './docs/definition-keys.mjs'
import { modelFileSchema } from '../packages/core/dist/definition/vocabulary/file-schema.js'
import { configurationSchemas } from '../packages/boot/dist/load/vocabulary.js'

const folder = new URL('../packages/boot/schemas/', import.meta.url)
const write = process.argv.includes('--write')
mkdirSync(folder, { recursive: true })
for (const [name, schema] of Object.entries({ model: modelFileSchema(), ...configurationSchemas() })) {
  keep(`packages/boot/schemas/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`)
}
keep('packages/docs/definition-keys.md', await definitionKeys())

function keep (name, text) {
  const file = new URL(`../${name}`, import.meta.url)
  if (write) writeFileSync(file, text)
  else if (readOr(file) !== text) {
    console.log(`FAULT ${name} is not up to date: node .ci/schemas.mjs --write`)
    process.exitCode = 1
  }
}

function readOr (file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
