/** Where a command writes, and what it knows of its surroundings. Tests give their own. */
import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

export interface Terminal {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Whether somebody is there to answer a question. */
  readonly interactive: boolean
  /** Writes one line to the standard output. */
  print (line: string): void
  /** Writes one line to the standard error. */
  complain (line: string): void
  /** Where questions are asked and answered. Default: the standard output and input of the process. */
  readonly dialogue?: { readonly input: Readable, readonly output: Writable } | undefined
}

/** The terminal of this process. Colours stay where people look, and only without NO_COLOR. */
export function processTerminal (): Terminal {
  const { env, stdin, stdout, stderr } = process
  const plain = (text: string, colours: boolean): string =>
    colours && (env.NO_COLOR ?? '') === '' ? text : stripVTControlCharacters(text)
  return {
    cwd: process.cwd(),
    env,
    interactive: stdin.isTTY && stdout.isTTY && (env.CI ?? '') === '',
    print: line => { stdout.write(plain(line, stdout.isTTY) + '\n') },
    complain: line => { stderr.write(plain(line, stderr.isTTY) + '\n') }
  }
}
