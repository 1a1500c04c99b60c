import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { Step } from './dialogue.js'

const bin = fileURLToPath(new URL('../bin/fastback.js', import.meta.url))

/** Runs the built command line in a pseudo terminal: that of util-linux. */
export async function atTerminal (
  cwd: string, args: readonly string[], steps: readonly Step[]
): Promise<{ code: number, shown: string }> {
  // A terminal without a size has no columns.
  const words = [process.execPath, bin, ...args].map(word => `'${word}'`)
  const line = `stty cols 100 rows 40 && ${words.join(' ')}`
  const { CI, ...env } = process.env
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd, env: { ...env, TERM: 'xterm' }, stdio: 'pipe' })
  const left = [...steps]
  let shown = ''
  let fresh = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const text = stripVTControlCharacters(chunk.toString())
    shown += text
    fresh += text
    const [next] = left
    if (next === undefined || !fresh.includes(next[0])) return
    left.shift()
    fresh = ''
    child.stdin.write(next[1])
  })
  const [code] = await once(child, 'close') as [number]
  return { code, shown }
}

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

/** Why a test that needs one is left out; false where it is not. */
export const noTerminal = hasScript ? false : 'there is no "script" of util-linux, which makes a pseudo terminal'
