/** Boot scripts: `boot/*.js`, then `boot/<env>/*.js`, one after the other. */
import path from 'node:path'
import type { MaybePromise } from '@fastback/core'
import { nearest } from '@fastback/core/remote'
import type { Folder } from './folder.js'
import { isThenable, settled, type Steps } from '../steps.js'
import { loadFile, resolveModule, scriptError } from './module.js'
import { scriptsIn } from './scripts.js'

/** `function (app)`, `function (app, done)` or a function that returns a promise. */
type BootScript = (app: unknown, done: (error?: unknown) => void) => unknown

/**
 * Loads all boot scripts, then runs them in the order of their names. A script that takes a second argument is waited
 * for until it calls back or its promise settles; files that export no function have done their work by being loaded.
 * @throws FBK_BOOT_SCRIPT naming the file, when a script cannot be loaded or fails; FBK_BOOT_TYPESCRIPT
 */
export function * runBootScripts (folder: Folder, env: string, app: unknown): Steps<void> {
  const files = scriptFiles(folder, env)
  const scripts: Array<{ file: string, run: BootScript }> = []
  for (const file of files) {
    const exported = yield * loadFile(folder, file)
    if (typeof exported === 'function') scripts.push({ file, run: exported as BootScript })
  }
  for (const { file, run } of scripts) {
    try {
      yield * settled(finished(run, app))
    } catch (error) {
      throw scriptError(folder, file, error, line => error instanceof TypeError ? missingModels(line, app) : '')
    }
  }
}

/** Which models a line asks for that there are not: what it reads of them fails with words that do not tell. */
function missingModels (line: string, app: unknown): string {
  const { models = {} } = app as { models?: Readonly<Record<string, unknown>> }
  const asked = Array.from(line.matchAll(/\bmodels(?:\.(\w+)|\[['"](\w+)['"]\])/g), ([, name, quoted]) => name ?? quoted)
  return asked.filter((name): name is string => name !== undefined && models[name] === undefined)
    .map(name => `. There is no model "${name}".${nearest(name, Object.keys(models))}`).join('')
}

/** Those that code names, then those of the folders that it names, then those of the folder `boot`; each once. */
function scriptFiles (folder: Folder, env: string): string[] {
  const { bootScripts = [], bootDirs = [] } = folder.given
  const named = bootScripts.map(script => resolveModule(folder, path.resolve(folder.server, script)) ?? script)
  const dirs = [...bootDirs, 'boot'].flatMap(dir => [folder.path(dir), folder.path(`${dir}/${env}`)])
  return [...new Set([...named, ...dirs.flatMap(dir => scriptsIn(folder, dir))])]
}

function finished (script: BootScript, app: unknown): MaybePromise<unknown> {
  if (script.length < 2) return script(app, () => {})
  return new Promise((resolve, reject) => {
    const result = script(app, error => {
      if (error === undefined || error === null) resolve(undefined)
      else reject(error as Error)
    })
    if (isThenable(result)) result.then(resolve, reject)
  })
}
