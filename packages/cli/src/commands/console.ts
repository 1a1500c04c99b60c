import path from 'node:path'
import { once } from 'node:events'
import { start } from 'node:repl'
import { inspect } from 'node:util'
import { createContext, runInContext, Script } from 'node:vm'
import { defineCommand } from 'citty'
import { application, dataFolder, debug, environment, setDataFolder } from '../common-options.js'
import { withApplication } from '../load-application.js'
import type { Terminal } from '../terminal.js'

export const consoleCommand = defineCommand({
  meta: { name: 'console', description: 'Work with the models: a prompt, with the data sources open' },
  args: {
    ...application,
    eval: { type: 'string', description: 'Run this, print what it gives, and end', valueHint: 'code' },
    ...dataFolder,
    ...environment,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    setDataFolder(args.data, terminal)
    const dir = path.resolve(terminal.cwd, args.dir)
    await withApplication(dir, { env: args.env, stores: 'all' }, async ({ fastify, registry, useStores }) => {
      useStores()
      const names = { ...registry.models, models: registry.models, app: fastify }
      if (args.eval !== undefined) {
        const value = await evaluate(args.eval, names)
        if (value !== undefined) terminal.print(inspect(value, { depth: 5 }))
        return
      }
      terminal.print(`app, models, ${Object.keys(registry.models).join(', ')}. Ctrl-D ends it.`)
      const repl = start({ prompt: '> ' })
      Object.assign(repl.context, names)
      await once(repl, 'exit')
    })
  }
})

/** The value of an expression, or of statements with `return`; both may wait. */
async function evaluate (code: string, names: object): Promise<unknown> {
  const context = createContext({ ...names, console, process })
  return await runInContext(isExpression(code) ? `(async () => (${code}\n))()` : `(async () => { ${code}\n })()`, context)
}

function isExpression (code: string): boolean {
  try {
    return Boolean(new Script(`async () => (${code}\n)`))
  } catch {
    return false
  }
}
