/** `fastback types`: the file `models.d.ts` of an application. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ApplicationSource, LoadOptions } from './application.js'
import { OutOfDateError } from './errors.js'
import { folderOf, withApplication } from './load-application.js'
import { describedModels, modelsFile } from './models-file/models-file.js'
import { writeOutput } from './write-output.js'

export interface WriteModelTypesOptions extends LoadOptions {
  /** File to write, relative to the working directory. Default: `models.d.ts` in the folder, or beside the module. */
  readonly out?: string | undefined
  /** Write nothing. */
  readonly dryRun?: boolean | undefined
  /** Write nothing, and fail when the file is not what would be written. */
  readonly check?: boolean | undefined
}

export interface WrittenModelTypes {
  /** Absolute path. */
  readonly file: string
  readonly text: string
  /** Names of the models. */
  readonly models: readonly string[]
  /** Whether the file was not like this before. */
  readonly changed: boolean
  readonly written: boolean
}

/**
 * Writes the types of an application's models: for each its definition, row, instance and class.
 *
 * ```js
 * await writeModelTypes('my-app')
 * ```
 * @param source a folder, a module that exports an application, or the application
 * @throws FBK_CLI_OUT_OF_DATE with `check`; the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function writeModelTypes (
  source: ApplicationSource,
  { out, dryRun, check, ...options }: WriteModelTypesOptions = {}
): Promise<WrittenModelTypes> {
  const file = out === undefined ? path.join(folderOf(source), 'models.d.ts') : path.resolve(out)
  const models = await withApplication(source, options, ({ registry }) => {
    const described = describedModels(registry)
    return { text: modelsFile(described), names: described.map(({ modelName }) => modelName) }
  })
  const changed = !existsSync(file) || readFileSync(file, 'utf8') !== models.text
  if (check === true && changed) throw new OutOfDateError(file)
  const written = changed && dryRun !== true && check !== true
  if (written) writeOutput(file, models.text)
  return { file, text: models.text, models: models.names, changed, written }
}
