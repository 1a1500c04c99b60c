/** `fastback add middleware` (generators.md, GE-E2). */
import { isDeepStrictEqual } from 'node:util'
import { ExistsError, UsageError } from '../errors.js'
import { faultOfModule, fileOfScript } from './component.js'
import type { Generator } from './generator.js'
import { jsonFault, jsonOf } from './json-value.js'
import { openProject, valueAt, type Addition, type Project, type Replacing } from './project.js'
import { namesOf, textOf, type QuestionContext } from './questions.js'
import { identifier } from '../source-text.js'
import { planScript } from './scripts.js'

const usualPhases = ['initial', 'session', 'auth', 'parse', 'routes', 'files', 'final']

/** A middleware as it is asked for. */
export interface NewMiddleware extends Replacing {
  /** A package, or a file of the folder: `./middleware/stamp`. */
  readonly name: string
  /** One that is not there yet needs `before`. */
  readonly phase: string
  /** The phase before which a new one stands. */
  readonly before?: string | undefined
  readonly subPhase?: 'before' | 'after' | undefined
  /** Paths that it is for. Default: all. */
  readonly paths?: readonly string[] | undefined
  /** What its factory is called with. Default: `{}`. */
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** Beside an entry of the same name in the phase, as a list. Default: false. */
  readonly add?: boolean | undefined
}

/**
 * Plans a middleware; one in a file of the folder that is not there yet gets a script as well.
 *
 * ```js
 * const { changes } = await addMiddleware('my-app', { name: 'compression', phase: 'initial', params: { level: 4 } })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_EXISTS; FBK_CLI_USAGE for an unknown phase and paths without "/"
 */
export async function addMiddleware (dir: string, options: NewMiddleware): Promise<Addition> {
  const project = openProject(dir)
  const { changes, layout: { middleware: file, server } } = project
  const { name, phase, subPhase, before, paths = [], params = {}, add, force } = options
  const fault = faultOfModule(name) ?? paths.map(faultOfPath).find(each => each !== undefined)
  if (fault !== undefined) throw new UsageError(fault)
  const at = subPhase === undefined ? phase : `${phase}:${subPhase}`
  planPhase(project, phase, at, before)
  const entry = { ...(paths.length === 0 ? {} : { paths }), params }
  const there = valueAt(changes.readJson(file), [at, name])
  const isThere = [there].flat().some(each => isDeepStrictEqual(each, entry))
  if (there === undefined || (!isThere && force === true && add !== true)) changes.setJson(file, [at, name], entry)
  else if (!isThere && add !== true) throw new ExistsError(`The middleware "${name}" in "${at}" (--add puts one beside it)`)
  else if (!isThere && Array.isArray(there)) changes.setJson(file, [at, name, -1], entry)
  else if (!isThere) changes.setJson(file, [at, name], [there, entry])
  const script = fileOfScript(server, name.replace(/#[^]*$/, ''))
  if (script !== undefined && !changes.has(`${script}.js`)) {
    planScript(project, script, {
      about: 'A factory of middleware; params stand in middleware.json.',
      parameters: 'params',
      body: [`return function ${identifier(script.split('/').at(-1) ?? '')} (req, res, next) {`, '  next()', '}']
    }, { force })
  }
  return { changes, warnings: [], next: ['fastback serve'] }
}

/** A phase that the file does not have stands where its order says. */
function planPhase (
  { changes, layout: { middleware: file } }: Project, phase: string, at: string, before: string | undefined
): void {
  const keys = Object.keys((changes.readJson(file) ?? {}) as object).filter(key => !key.startsWith('$'))
  if (keys.includes(at)) return
  const phases = keys.map(key => key.replace(/:[^]*$/, ''))
  const isKnown = (name: string): boolean => usualPhases.includes(name) || phases.includes(name)
  if (!isKnown(phase) && before === undefined) {
    throw new UsageError(`There is no phase "${phase}". Say with "--before" which phase it comes before.`)
  }
  if (before !== undefined && !isKnown(before)) {
    throw new UsageError(`There is no phase "${before}" that "${phase}" could come before.`)
  }
  const later = usualPhases.slice(usualPhases.indexOf(before ?? phase) + (before === undefined ? 1 : 0))
  const next = phases.includes(phase)
    ? at.endsWith(':before') ? phases.indexOf(phase) : phases.lastIndexOf(phase) + 1
    : phases.findIndex(each => each === before || later.includes(each))
  changes.insertJson(file, at, {}, keys[next])
}

const faultOfPath = (path: string): string | undefined =>
  path.startsWith('/') ? undefined : `the path "${path}" must begin with "/".`

const isNew = ({ project, answers }: QuestionContext): boolean => !phasesOf(project).includes(textOf(answers.phase) ?? '')

const phasesOf = ({ changes, layout }: Project): string[] =>
  [...new Set([...Object.keys((changes.readJson(layout.middleware) ?? {}) as object)
    .map(key => key.replace(/:[^]*$/, '')).filter(key => !key.startsWith('$')), ...usualPhases])]

export const middlewareGenerator: Generator = {
  command: 'add middleware',
  description: 'Add a middleware to middleware.json',
  questions: [
    { kind: 'text', name: 'name', message: 'Which middleware? A package, or a file: ./middleware/stamp.', positional: true, fault: faultOfModule },
    {
      kind: 'choice',
      name: 'phase',
      message: 'In which phase?',
      choices: ({ project }) => phasesOf(project).map(value => ({ value })),
      default: () => 'routes',
      other: 'Name of the new phase?'
    },
    {
      kind: 'choice',
      name: 'before',
      message: 'Before which phase does the new one stand?',
      when: isNew,
      choices: ({ project }) => phasesOf(project).map(value => ({ value }))
    },
    {
      kind: 'choice',
      name: 'sub-phase',
      message: 'Where in the phase?',
      choices: () => [{ value: 'before' }, { value: 'regular' }, { value: 'after' }],
      default: () => 'regular'
    },
    { kind: 'words', name: 'path', message: 'For which paths, each with a leading "/"? Empty: all.', default: () => [] },
    { kind: 'text', name: 'params', message: 'Its params, as an object of JSON?', default: () => '{}', fault: jsonFault },
    {
      kind: 'confirm',
      name: 'add',
      message: 'There is one of this name in the phase. Put another beside it?',
      when: ({ project, answers, given }) => given.add !== undefined ||
        valueAt(project.changes.readJson(project.layout.middleware), [placeOf(answers), textOf(answers.name) ?? '']) !== undefined,
      default: () => false
    }
  ],
  plan: async (dir, answers, { force }) => await addMiddleware(dir, {
    name: textOf(answers.name) ?? '',
    phase: textOf(answers.phase) ?? '',
    before: textOf(answers.before),
    subPhase: subPhaseOf(answers),
    paths: namesOf(answers.path),
    params: jsonOf(textOf(answers.params)),
    add: answers.add === true,
    force
  })
}

const subPhaseOf = ({ 'sub-phase': part }: QuestionContext['answers']): 'before' | 'after' | undefined =>
  part === 'before' || part === 'after' ? part : undefined

const placeOf = (answers: QuestionContext['answers']): string =>
  [textOf(answers.phase), subPhaseOf(answers)].filter(each => each !== undefined).join(':')
