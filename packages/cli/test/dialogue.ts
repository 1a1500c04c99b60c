import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { main } from '../src/index.js'
import type { Run } from './terminal.js'

export const enter = '\r'
export const down = '\u001b[B'
export const ctrlC = '\u0003'

/** Keys with arrows as one. */
const keysOf = (text: string): string[] => text.split(down).flatMap((part, i) => [...(i === 0 ? [] : [down]), ...part])

/** A question, by a part of it, and the keys that are pressed. */
export type Step = readonly [question: string, keys: string]

/** Runs the command line as if somebody sat at a terminal, and answered questions in their order. */
export async function talk (cwd: string, args: string[], steps: readonly Step[]): Promise<Run & { left: Step[] }> {
  const out: string[] = []
  const err: string[] = []
  const left = [...steps]
  const input = new PassThrough()
  let shown = ''
  // One key after another, as a hand does.
  const press = ([key, ...others]: readonly string[]): void => {
    if (key === undefined) return
    setImmediate(() => {
      input.write(key)
      press(others)
    })
  }
  const output = new Writable({
    write (chunk, _encoding, done) {
      shown += stripVTControlCharacters(String(chunk))
      const [next] = left
      if (next !== undefined && shown.includes(next[0])) {
        left.shift()
        shown = ''
        press(keysOf(next[1]))
      }
      done()
    }
  })
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
