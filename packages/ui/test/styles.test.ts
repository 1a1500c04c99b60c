/** The styles of the page's parts are one sheet: what one part calls its own must not be another's as well. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const folder = fileURLToPath(new URL('../src/page/styles/', import.meta.url))
const styles = (part: string): string => readFileSync(path.join(folder, `${part}.css`), 'utf8')

/** Sheets of the page itself; each of the others is of one part. */
const common = ['base', 'components', 'page', 'shell', 'tokens']
const parts = readdirSync(folder).map(file => path.basename(file, '.css')).filter(name => !common.includes(name))

t.test('no class begins rules in two parts', async t => {
  // Seen to fail: tables of models were called ".grid", and took the padding from those of rows.
  const owners = new Map<string, Set<string>>()
  const shared = styles('components') + styles('shell')
  for (const part of parts) {
    for (const [, name] of styles(part).matchAll(/^\.([a-z][a-z-]*)/gm)) {
      owners.set(name as string, (owners.get(name as string) ?? new Set()).add(part))
    }
  }
  const ofTwo = [...owners].filter(([name, { size }]) => size > 1 && !new RegExp(`^\\.${name}\\b`, 'm').test(shared))
  t.ok(owners.size > 50, `${owners.size} classes`)
  t.strictSame(ofTwo.map(([name, of]) => `${name}: ${[...of].join(', ')}`), [])
})
