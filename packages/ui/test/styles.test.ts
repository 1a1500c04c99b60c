/** The styles of the page's parts are one sheet: what one part calls its own must not be another's as well. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const parts = ['query', 'data', 'operations', 'models', 'rights', 'activity']

const styles = (part: string): string =>
  readFileSync(fileURLToPath(new URL(`../src/page/styles/${part}.css`, import.meta.url)), 'utf8')

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
