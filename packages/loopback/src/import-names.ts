/**
 * Resolves `import loopback from 'loopback'` to this package. Node.js runs this module in a thread of its own
 * (`module.register`), from where it tells which names were asked for.
 */
import type { MessagePort } from 'node:worker_threads'

/** What the thread is told at its beginning. */
export interface ImportNames {
  /** Addresses of files by the names that stand for them. */
  readonly files: ReadonlyMap<string, string>
  /** Where this package lies: its own files ask for the real ones. */
  readonly own: string
  readonly used: MessagePort
}

interface Resolved { readonly url: string, readonly shortCircuit?: boolean, readonly format?: string | null }
interface Context { readonly parentURL?: string }

type Next = (name: string, context: Context) => Promise<Resolved>

class ImportHooks {
  #names: ImportNames | undefined

  readonly initialize = (names: ImportNames): void => { this.#names = names }

  readonly resolve = async (name: string, context: Context, next: Next): Promise<Resolved> => {
    const names = this.#names
    const url = names?.files.get(name)
    if (names === undefined || url === undefined || context.parentURL?.startsWith(names.own) === true) {
      return await next(name, context)
    }
    names.used.postMessage(name)
    return { url, shortCircuit: true, format: 'module' }
  }
}

/** Node.js calls these two, in the one thread that it has for them. */
export const { initialize, resolve } = new ImportHooks()
