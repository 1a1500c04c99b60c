// JSON Schemas of the files of an application folder, for editors: packages/boot/schemas/*.json, made of the vocabulary
// that definitions are checked by. The packages must have been built.
// node .ci/schemas.mjs           ends with 1 when a file is not what the vocabulary says
// node .ci/schemas.mjs --write   writes them
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { modelFileSchema } from '../packages/core/dist/definition/vocabulary/file-schema.js'
import { configurationSchemas } from '../packages/boot/dist/load/vocabulary.js'

const folder = new URL('../packages/boot/schemas/', import.meta.url)
const write = process.argv.includes('--write')
mkdirSync(folder, { recursive: true })
for (const [name, schema] of Object.entries({ model: modelFileSchema(), ...configurationSchemas() })) {
  const file = new URL(`${name}.json`, folder)
  const text = `${JSON.stringify(schema, null, 2)}\n`
  if (write) writeFileSync(file, text)
  else if (readOr(file) !== text) {
    console.log(`FAULT packages/boot/schemas/${name}.json is not up to date: node .ci/schemas.mjs --write`)
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
