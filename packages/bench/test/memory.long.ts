/** What lives in a server's heap, and what its process takes, stays the same however many requests it has answered. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const load = fileURLToPath(new URL('../src/load/main.js', import.meta.url))
const linux = existsSync('/proc/self/stat') ? {} : { skip: 'wants /proc' }

t.test('after 200,000 requests and after 400,000', linux, async t => {
  const { stdout } = await promisify(execFile)(process.execPath, [load, '--scale', '0.4', 'mixed'])
  t.match(stdout, /400000 requests in .*, 0 of them badly answered/)
  t.match(stdout, /held {3}what lives in the heap flat/)
  t.match(stdout, /held {3}memory flat/)
})
