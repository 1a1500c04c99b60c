import { main } from '../src/index.js'

/** What a command wrote, and how it ended. */
export interface Run { code: number, out: string, err: string }

/** Runs the command line in this process, as if nobody sat at a terminal. */
export async function run (cwd: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  const out: string[] = []
  const err: string[] = []
  const code = await main(args, {
    cwd,
    env,
    interactive: false,
    print: line => {
      out.push(line)
    },
    complain: line => {
      err.push(line)
    }
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}
