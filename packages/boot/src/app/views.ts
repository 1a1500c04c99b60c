/** Template engines of the application. */
import { createRequire } from 'node:module'
import path from 'node:path'

interface ViewOptions {
  readonly defaultEngine?: string
  /** Folders of the views. */
  readonly root?: string | readonly string[]
  /** Engines by extension, with its dot. */
  readonly engines: Record<string, unknown>
}

export type ViewClass = new (name: string, options: ViewOptions) => object

/**
 * Express's class of views, with engines that are looked for from the folders of the views and from the working
 * directory: they are packages of the application, which Express, installed beside Fastback, does not see.
 */
export const withOwnEngines = (View: ViewClass): ViewClass => class extends View {
  constructor (name: string, options: ViewOptions) {
    const { defaultEngine = '', engines } = options
    const extension = path.extname(name) || (defaultEngine === '' ? '' : `.${defaultEngine.replace(/^\./, '')}`)
    if (extension !== '' && !engines[extension]) {
      const engine = engineNamed(extension.slice(1), [options.root ?? [], process.cwd()].flat())
      // What is no engine, or not there, is Express's to complain about.
      if (engine !== undefined) engines[extension] = engine
    }
    super(name, options)
  }
}

function engineNamed (name: string, dirs: readonly string[]): unknown {
  for (const dir of dirs) {
    const require = createRequire(path.resolve(dir, 'views.js'))
    let file
    try {
      file = require.resolve(name)
    } catch {
      continue
    }
    return (require(file) as { __express?: unknown }).__express
  }
}
