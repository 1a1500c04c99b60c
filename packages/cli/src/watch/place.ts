/** Where in an application's own code an error comes from. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `server/boot/a.js:2:3`, from the stack of an error or of what has caused it; undefined when no line is the
 * application's own.
 */
export function placeOf (error: unknown, dir: string): string | undefined {
  // Causes come first: what wraps them is ours.
  const chain: Error[] = []
  for (let each = error; each instanceof Error && !chain.includes(each); each = each.cause) chain.unshift(each)
  for (const { stack = '' } of chain) {
    for (const [, file = '', line = ''] of stack.matchAll(/((?:file:\/\/)?\/?[^\s()]*\.[cm]?[jt]sx?):(\d+(?::\d+)?)/g)) {
      const found = path.relative(dir, pathIn(file))
      if (!found.startsWith('..') && !path.isAbsolute(found) && !found.split(path.sep).includes('node_modules')) return `${found}:${line}`
    }
  }
}

/** `server/boot/a.js:3` of the first of some files that cannot be parsed: errors of ES modules do not name the line. */
export async function unparsable (files: readonly string[], dir: string): Promise<string | undefined> {
  for (const file of files.filter(each => /\.[cm]?js$/.test(each))) {
    const place = await new Promise<string | undefined>(resolve => {
      execFile(process.execPath, ['--check', path.resolve(dir, file)], (error, _, complaint) => {
        resolve(error === null ? undefined : /:(\d+)\r?\n/.exec(complaint)?.[1])
      })
    })
    if (place !== undefined) return `${file}:${place}`
  }
}

/** Files that the message of an error names. */
export const filesNamedIn = (message: string): string[] => message.match(/[\w./\\-]+\.[cm]?js\b/g) ?? []

function pathIn (file: string): string {
  try {
    return file.startsWith('file:') ? fileURLToPath(file) : file
  } catch {
    return file
  }
}
