/** Whether a folder starts: what commands that write into one make sure of. */
import type { LoadOptions } from './application.js'
import { withApplication } from './load-application.js'

/**
 * Loads an application folder as `serve` would, without listening and without opening its stores.
 * @throws what stops it
 */
export async function checkFolder (folder: string, options: LoadOptions = {}): Promise<void> {
  await withApplication(folder, options, () => {})
}
