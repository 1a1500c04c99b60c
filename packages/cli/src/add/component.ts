/** `fastback add component`: an entry of `component-config.json` (behaviour.md, section 12). */
import { UsageError } from '../errors.js'
import type { Generator } from './generator.js'
import { jsonFault, jsonOf } from './json-value.js'
import { openProject, setNew, type Addition, type Replacing } from './project.js'
import { textOf } from './questions.js'
import { identifier } from '../source-text.js'
import { planScript } from './scripts.js'
import { installName } from '../own-package.js'

/** A component as it is asked for. */
export interface NewComponent extends Replacing {
  /** A package, or a file of the folder: `./components/metrics`. */
  readonly name: string
  /** Default: none, `{}`. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Plans a component; one in a file of the folder that is not there yet gets a script as well.
 *
 * ```js
 * const { changes } = await addComponent('my-app', { name: './components/metrics', options: { path: '/metrics' } })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_EXISTS; FBK_CLI_USAGE for a name that is none
 */
export async function addComponent (dir: string, { name, options = {}, force }: NewComponent): Promise<Addition> {
  const project = openProject(dir)
  const { changes, layout } = project
  const fault = faultOfModule(name)
  if (fault !== undefined) throw new UsageError(`"${name}" cannot be the name of a component: ${fault}`)
  setNew(changes, layout.componentConfig, [name], options, `The component "${name}"`, { force })
  const file = fileOfScript(layout.server, name)
  if (file !== undefined && !changes.has(`${file}.js`)) {
    planScript(project, file, {
      about: 'A component: sets up a part of the application; options stand in component-config.json.',
      name: identifier(file.split('/').at(-1) ?? ''),
      parameters: 'app, options'
    }, { force })
  }
  const installed = name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/')
  const install = file === undefined ? [`npm install ${installName(installed)}`] : []
  return { changes, warnings: [], next: [...install, 'fastback serve'] }
}

/** Where the script of a module lies that the folder has itself, without its extension; undefined for a package. */
export const fileOfScript = (server: string, name: string): string | undefined =>
  /^\.\//.test(name) ? `${server === '.' ? '' : `${server}/`}${name.slice(2).replace(/\.js$/, '')}` : undefined

/** Why a text names no module. */
export const faultOfModule = (name: string): string | undefined =>
  /^(\.\/)?(@[\w.-]+\/)?[\w-][\w./#-]*$/.test(name) && !name.includes('..')
    ? undefined
    : 'name a package ("compression"), or a file of the folder ("./components/metrics").'

export const componentGenerator: Generator = {
  command: 'add component',
  description: 'Add a component to component-config.json',
  questions: [
    { kind: 'text', name: 'name', message: 'Which component? A package, or a file: ./components/metrics.', positional: true, fault: faultOfModule },
    { kind: 'text', name: 'options', message: 'Its options, as an object of JSON?', default: () => '{}', fault: jsonFault }
  ],
  plan: async (dir, answers, { force }) =>
    await addComponent(dir, { name: textOf(answers.name) ?? '', options: jsonOf(textOf(answers.options)), force })
}
