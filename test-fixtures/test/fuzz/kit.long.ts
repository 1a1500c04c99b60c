/** Random hostile requests to the application folders of a conformance kit beside the checkout, where there is one. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { shortRun } from './short-run.js'

const kit = fileURLToPath(
  new URL(process.env.FASTBACK_CONFORMANCE ?? '../../../../shared/conformance', import.meta.url)
)

/** What these folders do on purpose: set a status that a client chose; send mail without anything to send it with. */
const folders = { shop: ['Tool.respond'], bank: ['Customer.prototype.verify'], accounts: [] } as const

for (const [name, mayFail] of Object.entries(folders)) {
  const dir = path.join(kit, 'apps', name)
  for (const store of ['memory', 'sqlite'] as const) {
    t.test(`${name} on ${store}`, { skip: existsSync(dir) ? false : 'no kit here' }, async t => {
      await shortRun(t, name, { dir, store, reached: 0.1, mayFail })
    })
  }
}
