/**
 * Every key that data sources of a folder may have does what it says, or is refused where definitions are strict. A key
 * of the vocabulary that has no entry in the table fails.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { keyFaults } from '@fastback/core/remote'
import { DataSourceVocabulary } from '../../../packages/boot/dist/load/vocabulary.js'
import { provenIn } from './proven-in.js'
import { dataSourceEffects, type Stored } from './data-sources.js'
import { world } from './world.js'

t.strictSame(
  Object.keys(dataSourceEffects).sort(), Object.keys(DataSourceVocabulary.properties).sort(), 'the table has every key'
)

const uploadTo = ({ app }: Pick<Stored, 'app'>): Stored['upload'] =>
  async (files, { container = 'box', type = 'text/plain', fields = {} } = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    for (const [name, content] of Object.entries(files)) form.append('file', new Blob([content], { type }), name)
    const { headers, body } = new Response(form) as { headers: Headers, body: unknown }
    const { statusCode } = await app.inject({
      method: 'POST',
      url: `/api/Notes/${container}/upload`,
      headers: { 'content-type': headers.get('content-type') as string },
      payload: Buffer.from(await new Response(body as ReadableStream).arrayBuffer())
    })
    return statusCode
  }

for (const [key, entry] of Object.entries(dataSourceEffects)) {
  if ('provenIn' in entry) provenIn(t, entry, key)
  else if ('refused' in entry) {
    t.match(keyFaults({ [key]: entry.refused }, DataSourceVocabulary.properties, ''), [{ says: /^has no effect/, kind: 'mistake' }], key)
  } else {
    t.test(key, async t => {
      const root = t.testdir({})
      mkdirSync(join(root, 'box'))
      const { beside = () => ({ connector: 'storage', root }), value, shows } = entry
      const isOfFiles = (beside(root) as { connector?: string }).connector === 'storage'
      const made = await world(t, {
        definitions: [isOfFiles ? { name: 'Note', base: 'Model' } : { name: 'Note', properties: { it: 'string' } }],
        store: { ...beside(root), ...value === undefined ? {} : { [key]: value } }
      })
      await shows(t, { ...made, root, upload: uploadTo(made) })
    })
  }
}
