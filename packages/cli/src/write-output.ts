/** Files that commands write where `--out` says. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Writes a file of text, and makes the folders that it lacks. */
export function writeOutput (file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
