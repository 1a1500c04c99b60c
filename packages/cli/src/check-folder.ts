/** Whether a folder starts: what commands that write into one make sure of. */
import { readConfiguration, scratchStores } from '@fastback/boot'
import type { LoadOptions } from './application.js'
import type { ChangeSet, Plan } from './changes/index.js'
import { withApplication } from './load-application.js'
import { modelLayoutOf, sourceOf, untriable } from './model-files/index.js'

/**
 * Loads an application folder, or the module of one in code, as `serve` would, without listening and without opening
 * its stores.
 * @throws what stops it
 */
export async function checkFolder (folder: string, options: LoadOptions = {}): Promise<void> {
  await withApplication(folder, options, () => {})
}

/**
 * The same of a folder that was written for LoopBack: its names lead to Fastback, as they do for `serve`. Once in a
 * process: what code of the folder has asked for stays.
 * @throws what stops it
 */
export async function checkLoopbackFolder (folder: string): Promise<void> {
  const { load } = await import('@fastback/loopback/launch')
  const { dataSources, remove } = scratchStores(await readConfiguration(folder))
  try {
    const { stop } = await load(folder, { dataSources, log: false })
    await stop()
  } finally {
    remove()
  }
}

/**
 * The check of what a command writes, and its warnings: where the application cannot be tried here, that is said.
 * @param further what is tried when the application has started
 */
export function checkWritten (
  changes: ChangeSet, warnings: readonly string[] = [], options: LoadOptions = {}, further?: () => Promise<void>
): Pick<Plan, 'check' | 'warnings'> {
  const reason = untriable(changes)
  if (reason !== undefined) return { warnings: [...warnings, `it was not tried whether the application starts: ${reason}`] }
  return {
    warnings,
    check: async () => {
      // What is planned is not there yet where the layout is looked at; what it is made of is.
      await checkFolder(sourceOf(changes.folder, modelLayoutOf(changes.folder), true), options)
      await further?.()
    }
  }
}

/**
 * The same of texts that others wrote (a description of an API, names of tables, keys of samples): what has them in its
 * source is not started before somebody saw it (security.md, S-94).
 */
export function checkOthersTexts (
  changes: ChangeSet, warnings: readonly string[] = [], options: LoadOptions = {}
): Pick<Plan, 'check' | 'warnings'> {
  return holdsSource(changes) ? { warnings: [...warnings, unseen] } : checkWritten(changes, warnings, options)
}

/** Whether a plan writes source, and not JSON alone. */
export const holdsSource = ({ changes }: ChangeSet): boolean =>
  changes.some(({ file, after }) => after !== undefined && /\.[mc]?[jt]sx?$/.test(file))

const unseen = 'it was not tried whether the application starts: texts that others wrote stand in its source now. ' +
  'Look at what was written (git diff), then start it'
