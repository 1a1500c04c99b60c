/** Whether a test asks for a key where the table says that it does. */
import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import type { AskedElsewhere } from './world.js'

/** The key is written there, and not only named: a word that a text or another key happens to have is no proof. */
export function provenIn (t: Test, { provenIn: file }: AskedElsewhere, key: string): void {
  t.match(readFileSync(file, 'utf8'), new RegExp(`\\b${key}\\b *[:=,}]`), `${key} is asked for in ${file}`)
}
