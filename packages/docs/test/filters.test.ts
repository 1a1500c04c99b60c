/**
 * The guide of filters has an example of everything that a filter can have: its blocks run with the documents' checks.
 * Seen to fail: the guide had no "nlike", "options", "minDistance" and "offset".
 */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { operators } from '../../core/src/query/parse-operators.js'

const guide = readFileSync(new URL('../guides/filters.md', import.meta.url), 'utf8')
const code = Array.from(guide.matchAll(/^```js\n([^]*?)^```/gm), ([, block]) => block).join('')

t.test('every operator and every part of a filter has an example that runs', async t => {
  const names = [...operators.keys()].filter(name => !name.startsWith('$'))
  t.ok(names.length >= 16, `${names.length} operators`)
  const parts = ['and', 'or', 'nor', 'options', 'maxDistance', 'minDistance', 'unit', 'order', 'limit', 'skip', 'offset', 'fields', 'include', 'scope']
  t.strictSame([...names, ...parts].filter(name => !new RegExp(`\\b${name}:`).test(code)), [])
})
