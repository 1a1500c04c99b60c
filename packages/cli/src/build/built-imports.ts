/** What `built-names.ts` does for `require`, for `import`. Node.js runs this module in a thread of its own. */
interface Resolved { readonly url: string, readonly shortCircuit?: boolean, readonly format?: string | null }

type Next = (name: string, context: object) => Promise<Resolved>

class BuiltImports {
  #urls: ReadonlyMap<string, string> = new Map()

  readonly initialize = (urls: ReadonlyMap<string, string>): void => { this.#urls = urls }

  readonly resolve = async (name: string, context: object, next: Next): Promise<Resolved> => {
    const url = this.#urls.get(name)
    return url === undefined ? await next(name, context) : { url, shortCircuit: true, format: 'module' }
  }
}

/** Node.js calls these two, in the one thread that it has for them. */
export const { initialize, resolve } = new BuiltImports()
