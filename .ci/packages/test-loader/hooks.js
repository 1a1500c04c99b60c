// Node's loader hooks that make JavaScript of TypeScript, for tests.
import { existsSync } from 'node:fs'
import { compiled } from './compiled.js'
import { fileURLToPath } from 'node:url'

// With or without what tap adds to the address of a module whose imports are replaced.
const isTypeScript = url => url.startsWith('file:') && /\.m?ts(\?|$)/.test(url)

/** `./x.js` in a file of TypeScript is `x.ts` where there is one. */
export function resolve (specifier, context, next) {
  if (/^\.{1,2}\/.*\.m?js$/.test(specifier) && isTypeScript(context.parentURL ?? '')) {
    const source = new URL(specifier.replace(/js$/, 'ts'), context.parentURL)
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true }
  }
  return isTypeScript(specifier) ? { url: specifier, format: 'module', shortCircuit: true } : next(specifier, context)
}

export async function load (url, context, next) {
  if (!isTypeScript(url)) return await next(url, context)
  return { format: 'module', source: await compiled(fileURLToPath(url)), shortCircuit: true }
}
