/** The process that tries whether a folder starts. */
import { checkFolder } from '../check-folder.js'
import { modelLayoutOf, sourceOf } from '../model-files/index.js'
import type { Trial, TrialReport } from './try-changes.js'

process.once('disconnect', () => { process.exit() })
process.once('message', ({ folder, env }: Trial) => {
  const report = (of: TrialReport): void => { process.send?.(of) }
  checkFolder(sourceOf(folder, modelLayoutOf(folder), true), { env }).then(
    () => { report({}) },
    (error: unknown) => { report({ failure: error instanceof Error ? error.message : String(error) }) }
  )
})
