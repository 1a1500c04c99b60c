/** `fastback add boot-script` (generators.md, GE-E3). */
import { checkName, faultOfName } from '../model-files/index.js'
import type { Generator } from './generator.js'
import { openProject, type Addition, type Replacing } from './project.js'
import { textOf } from './questions.js'
import { identifier } from '../source-text.js'
import { planScript } from './scripts.js'

/** A boot script as it is asked for. */
export interface NewBootScript extends Replacing {
  readonly name: string
  /** `async`: the start waits for it. Default. */
  readonly type?: 'async' | 'sync' | undefined
}

/**
 * Plans a script that runs when the application starts.
 *
 * ```js
 * const { changes } = await addBootScript('my-app', { name: 'seed' })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_EXISTS; FBK_CLI_USAGE for a name that cannot be one
 */
export async function addBootScript (dir: string, { name, type = 'async', force }: NewBootScript): Promise<Addition> {
  const project = openProject(dir)
  planScript(project, `${project.layout.bootScripts}/${checkName('script', name)}`, {
    about: type === 'async'
      ? 'Runs when the application starts, which waits for it. app.models has the models.'
      : 'Runs when the application starts. app.models has the models.',
    isAsync: type === 'async',
    name: identifier(name),
    parameters: 'app'
  }, { force })
  return { changes: project.changes, warnings: [], next: ['fastback serve'] }
}

export const bootScriptGenerator: Generator = {
  command: 'add boot-script',
  description: 'Write a script that runs when the application starts',
  questions: [
    { kind: 'text', name: 'name', message: 'Name of the script?', positional: true, fault: faultOfName },
    {
      kind: 'choice',
      name: 'type',
      message: 'Does the start wait for it?',
      choices: () => [{ value: 'async', hint: 'it does' }, { value: 'sync', hint: 'it does not' }],
      default: () => 'async'
    }
  ],
  plan: async (dir, answers, { force }) => await addBootScript(dir, {
    name: textOf(answers.name) ?? '', type: answers.type === 'sync' ? 'sync' : 'async', force
  })
}
