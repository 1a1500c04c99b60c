import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { main } from '../src/index.js'
import type { Run } from './terminal.js'

export const enter = '\r'
export const down = '\u001b[B'
export const ctrlC = '\u0003'

/** A question, by a part of it, and the keys that are pressed. */
export type Step = readonly [question: string, keys: string]

/** Runs the command line as if somebody sat at a terminal, and answered questions in their order. */
export async function talk (cwd: string, args: string[], steps: readonly Step[]): Promise<Run & { left: Step[] }> {
  const out: string[] = []
  const err: string[] = []
  const left = [...steps]
  const input = new PassThrough()
  let shown = ''
  const output = new Writable({
    write (chunk, _encoding, done) {
      shown += stripVTControlCharacters(String(chunk))
      const [next] = left
      if (next !== undefined && shown.includes(next[0])) {
        left.shift()
        shown = ''
        // One key after another, as a hand does: a chunk is read as one.
        void (async () => {
          for (const key of next[1].match(/\u001b\[.|[^]/g) ?? []) {
            await new Promise(resolve => { setImmediate(resolve) })
            input.write(key)
          }
        })()
      }
      done()
    }
  })
  process.once('exit', () => { if (left.length > 0) console.error('not asked:', left[0], JSON.stringify(shown)) })
  const code = await main(args, {
    cwd,
    env: {},
    interactive: true,
    print: line => { out.push(line) },
    complain: line => { err.push(line) },
    dialogue: { input, output }
  })
  return { code, out: out.join('\n'), err: err.join('\n'), left }
}
