/** Where in an application's own code an error comes from. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `server/boot/a.js:2:3`, from the stack of an error or of what has caused it; undefined when no line is the
 * application's own.
 */
export function locationOf (error: unknown, dir: string): string | undefined {
  // Causes come first: what wraps them is ours.
  const chain: Error[] = []
  for (let each = error; each instanceof Error && !chain.includes(each); each = each.cause) chain.unshift(each)
  for (const { stack = '' } of chain) {
    // Bounded: at most 10,000 characters, the stack of an error in ten lines.
    for (const [, file = '', line = ''] of stack.matchAll(/((?:file:\/\/)?\/?[^\s()]*\.[cm]?[jt]sx?):(\d+(?::\d+)?)/g)) {
      const found = path.relative(dir, pathIn(file))
      if (!found.startsWith('..') && !path.isAbsolute(found) && !found.split(path.sep).includes('node_modules')) return `${found}:${line}`
    }
  }
}

function pathIn (file: string): string {
  try {
    return file.startsWith('file:') ? fileURLToPath(file) : file
  } catch {
    return file
  }
}
