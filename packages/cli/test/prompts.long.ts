/** Every generator at a real terminal writes what it writes by flags and streams (prompts.test.ts). */
import { cpSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { talk } from './dialogue.js'
import { dialogues, shop } from './dialogues.js'
import { atTerminal, noTerminal } from './pseudo-terminal.js'

const files = (folder: string) => Object.fromEntries(readdirSync(folder, { recursive: true })
  .map(name => String(name))
  .filter(name => statSync(path.join(folder, name)).isFile())
  .map(name => [name, readFileSync(path.join(folder, name), 'utf8')]))

t.test('CL-1: all eleven generators at a real terminal', { skip: noTerminal, timeout: 300_000 }, async t => {
  const folder = await shop(t)
  const other = `${folder}-streams`
  cpSync(folder, other, { recursive: true })
  for (const [what, steps] of dialogues) {
    const { code, shown } = await atTerminal(folder, ['add', what, '--allow-dirty'], steps)
    t.equal(code, 0, `${what}: ${shown}`)
    await talk(other, ['add', what, '--allow-dirty'], steps)
    t.same(files(folder), files(other), what)
  }
})
