/** `fastback add mixin`: a script that several models share, and its entry in those (behaviour.md, section 12). */
import { checkName, faultOfName, fileNameOf } from '../model-files/index.js'
import type { Generator } from './generator.js'
import { fileOfModel, openProject, setNew, valueAt, type Addition, type Project, type Replacing } from './project.js'
import { namesOf, textOf } from './questions.js'
import { planScript } from './scripts.js'

/** A mixin as it is asked for. */
export interface NewMixin extends Replacing {
  /** As models name it: `TimeStamp`. */
  readonly name: string
  /** Models that get it. Default: none. */
  readonly models?: readonly string[] | undefined
}

/**
 * Plans a mixin, and its use in models.
 *
 * ```js
 * const { changes } = await addMixin('my-app', { name: 'TimeStamp', models: ['Coffee'] })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_UNKNOWN_MODEL, FBK_CLI_EXISTS; FBK_CLI_USAGE for a name that cannot be one
 */
export async function addMixin (dir: string, { name, models = [], force }: NewMixin): Promise<Addition> {
  const project = openProject(dir)
  const { layout, changes } = project
  const file = `${layout.mixins}/${fileNameOf(checkName('mixin', name))}`
  if (!changes.has(`${file}.js`) || force === true) {
    planScript(project, file, { about: 'What models with this mixin have; options are those that the model gives.', parameters: 'Model, options' }, { force })
  }
  nameFolder(project)
  for (const model of models) {
    setNew(changes, fileOfModel(project, model), ['mixins', name], true, `The mixin "${name}" of "${model}"`, { force })
  }
  const warnings = models.length === 0 ? [`No model has it yet: "mixins": { "${name}": true } in a definition.`] : []
  return { changes, warnings, next: ['fastback serve'] }
}

/** Mixins are looked for where `model-config.json` says, and where it says nothing, in usual places. */
function nameFolder ({ changes, layout }: Project): void {
  const folder = layout.server === '.' ? './mixins' : '../common/mixins'
  const named = valueAt(changes.readJson(layout.modelConfig), ['_meta', 'mixins'])
  if (Array.isArray(named) && !named.includes(folder)) changes.setJson(layout.modelConfig, ['_meta', 'mixins', -1], folder)
}

export const mixinGenerator: Generator = {
  command: 'add mixin',
  description: 'Write a mixin, and give it to models',
  questions: [
    { kind: 'text', name: 'name', message: 'Name of the mixin, as models have it?', positional: true, fault: faultOfName },
    {
      kind: 'words',
      name: 'model',
      message: 'Which models get it?',
      choices: async ({ project }) => [...project.models.keys()].map(value => ({ value })),
      default: () => []
    }
  ],
  plan: async (dir, answers, { force }) =>
    await addMixin(dir, { name: textOf(answers.name) ?? '', models: namesOf(answers.model), force })
}
