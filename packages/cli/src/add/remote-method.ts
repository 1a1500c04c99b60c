/** `fastback add remote-method` (generators.md, GE-E1). */
import path from 'node:path'
import { UsageError } from '../errors.js'
import { faultOfName, isModuleFolder, scriptText } from '../model-files/index.js'
import type { Generator } from './generator.js'
import { methodText, withMethod, type MethodStub } from './method-script.js'
import { fileOfModel, openProject, setNew, type Addition, type Project, type Replacing } from './project.js'
import { modelQuestion } from './property.js'
import { propertyTypes } from './property-type.js'
import { itemsOf, textOf, type Question } from './questions.js'

/** Days and times are texts among arguments. */
const argumentTypes = propertyTypes.filter(type => type !== 'dateOnly' && type !== 'time')

/** One argument of a remote method. */
export interface MethodArgument {
  readonly arg: string
  /** Default: `string`. */
  readonly type?: string | undefined
  /** Default: false. */
  readonly required?: boolean | undefined
  readonly description?: string | undefined
  /** Where it is in the request. Default: as the framework finds it. */
  readonly source?: string | undefined
}

/** One result of a remote method. */
export interface MethodResult {
  readonly arg: string
  /** Default: `string`. */
  readonly type?: string | undefined
  /** The answer is this, and no object with it. Default: false. */
  readonly root?: boolean | undefined
  readonly description?: string | undefined
}

/** A remote method as it is asked for. */
export interface NewRemoteMethod extends Replacing {
  readonly model: string
  /** With `prototype.` for a method of a row. */
  readonly name: string
  readonly description?: string | undefined
  /** Default: `POST /name`. */
  readonly http?: ReadonlyArray<{ readonly path: string, readonly verb: string }> | undefined
  readonly accepts?: readonly MethodArgument[] | undefined
  readonly returns?: readonly MethodResult[] | undefined
}

/**
 * Plans a remote method: its declaration in the definition, and an asynchronous function in the model's script, which
 * answers 501 until it is written.
 *
 * ```js
 * const { changes } = await addRemoteMethod('my-app', {
 *   model: 'Coffee', name: 'prototype.brew', http: [{ verb: 'post', path: '/brew' }],
 *   accepts: [{ arg: 'cups', type: 'number', required: true }], returns: [{ arg: 'ready', type: 'boolean' }]
 * })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_UNKNOWN_MODEL, FBK_CLI_EXISTS; FBK_CLI_USAGE for a name that cannot be one
 */
export async function addRemoteMethod (dir: string, options: NewRemoteMethod): Promise<Addition> {
  const project = openProject(dir)
  const { notes, warnings } = planMethod(project, options)
  return {
    changes: project.changes,
    notes,
    warnings,
    next: [`write ${options.model}.${options.name}`, `fastback acl explain ${options.model} ${options.name}`, 'fastback serve']
  }
}

/** Plans the declaration and the function. */
function planMethod (project: Project, options: NewRemoteMethod): { notes: string[], warnings: string[] } {
  const { model, name, description, accepts = [], force } = options
  const fault = faultOfMethod(name)
  if (fault !== undefined) throw new UsageError(`"${name}" cannot be the name of a method: ${fault}`)
  const file = fileOfModel(project, model)
  const declaration = declarationOf(options)
  setNew(project.changes, file, ['methods', name], declaration, `The method "${name}" of "${model}"`, { force })
  return addToScript(project, file, { model, name, parameters: accepts.map(({ arg }) => arg), about: description })
}

/** What a definition says of a method, with its keys in LoopBack's order. */
export const declarationOf = (
  { description, http = [], accepts = [], returns = [] }: Omit<NewRemoteMethod, 'model' | 'name'>
): Record<string, unknown> => ({
  accepts: accepts.map(({ arg, type = 'string', required = false, description: about, source }) => ({
    arg, type: typeOf(type), required, ...said(about), ...(source === undefined ? {} : { http: { source } })
  })),
  returns: returns.map(({ arg, type = 'string', root = false, description: about }) =>
    ({ arg, type: typeOf(type), root, ...said(about) })),
  ...said(description),
  http
})

const said = (description: string | undefined): { description?: string } =>
  description === undefined || description === '' ? {} : { description }

/** `string[]` is a list of texts. */
const typeOf = (type: string): string | [string] => type.endsWith('[]') ? [type.slice(0, -2)] : type

/** The script beside the definition gets the function; one that cannot be edited is left, and the function is told. */
export function addToScript (
  project: Project, definition: string, stub: MethodStub
): { notes: string[], warnings: string[] } {
  const { changes, layout } = project
  const base = definition.replace(/\.json$/, '')
  const file = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map(end => `${base}.${end}`).find(each => changes.has(each)) ?? `${base}.js`
  const text = changes.read(file) ?? scriptText(stub.model, isModuleFolder(changes, layout))
  const edited = /\.[mc]?ts$/.test(file) ? undefined : withMethod(text, stub)
  if (edited !== undefined) {
    changes.write(file, edited)
    return { notes: [], warnings: [] }
  }
  return {
    notes: [methodText(stub)],
    warnings: [`${path.posix.basename(file)} exports no function of JavaScript that could be added to; put this one there yourself.`]
  }
}

const faultOfMethod = (name: string): string | undefined => faultOfName(name.replace(/^prototype\./, ''))

const sources = ['auto', 'form', 'path', 'query', 'body', 'req', 'res', 'context', 'header']
const verbs = ['post', 'put', 'delete', 'get', 'patch', 'head']

const typeQuestion: Question = {
  kind: 'choice', name: 'type', message: 'Its type?', choices: () => argumentTypes.map(value => ({ value })), default: () => 'string', other: 'Which type?'
}
const aboutQuestion: Question = { kind: 'text', name: 'description', message: 'What it is? Empty: nothing.', default: () => '' }

export const remoteMethodGenerator: Generator = {
  command: 'add remote-method',
  description: 'Add a remote method to a model, and its function to the script',
  questions: [
    modelQuestion,
    {
      kind: 'text', name: 'name', message: 'Name of the method? A row\'s begins with "prototype.".', positional: true, fault: faultOfMethod
    },
    {
      kind: 'confirm',
      name: 'static',
      message: 'Is it a method of the model, and not of a row?',
      default: ({ answers }) => textOf(answers.name)?.startsWith('prototype.') !== true
    },
    { kind: 'text', name: 'description', message: 'What does it do? Empty: nothing is said.', default: () => '' },
    {
      kind: 'list',
      name: 'http',
      message: 'An endpoint, as in "get /brew".',
      item: [
        { kind: 'text', name: 'path', message: 'Its path?', fault: text => text.startsWith('/') ? undefined : 'a path begins with "/".' },
        {
          kind: 'choice', name: 'verb', message: 'Its verb?', choices: () => verbs.map(value => ({ value })), default: () => 'post', other: 'Which verb?'
        }
      ],
      read: text => {
        const [, verb = 'post', at = ''] = /^(?:([a-z]+)\s+)?(\/.*)$/i.exec(text.trim()) ?? []
        return { path: at === '' ? text : at, verb: verb.toLowerCase() }
      }
    },
    {
      kind: 'list',
      name: 'accepts',
      message: 'An argument, as in cups:number!, tags:string[], where:object@query.',
      item: [
        { kind: 'text', name: 'arg', message: 'Its name?' },
        typeQuestion,
        { kind: 'confirm', name: 'required', message: 'Required?', default: () => false },
        aboutQuestion,
        { kind: 'choice', name: 'source', message: 'Where is it in the request?', choices: () => sources.map(value => ({ value })), default: () => 'auto' }
      ],
      read: text => readArgument(text)
    },
    {
      kind: 'list',
      name: 'returns',
      message: 'A result, as in ready:boolean, or coffee:Coffee@root where it is the whole answer.',
      item: [
        { kind: 'text', name: 'arg', message: 'Its name?' },
        typeQuestion,
        { kind: 'confirm', name: 'root', message: 'Is it the whole answer?', default: () => false },
        aboutQuestion
      ],
      read: text => {
        const { source, required, ...result } = readArgument(text)
        if (required === true || (source !== undefined && source !== 'root')) throw new UsageError(`"${text}" is no result. Write it as "ready:boolean" or "coffee:Coffee@root".`)
        return { ...result, root: source === 'root' }
      }
    }
  ],
  plan: async (dir, answers, { force }) => {
    const name = textOf(answers.name) ?? ''
    return await addRemoteMethod(dir, {
      model: textOf(answers.model) ?? '',
      name: answers.static === false && !name.startsWith('prototype.') ? `prototype.${name}` : name,
      description: textOf(answers.description),
      http: itemsOf(answers.http).map(({ path: at, verb }) => ({ path: textOf(at) ?? '', verb: textOf(verb) ?? '' })),
      accepts: itemsOf(answers.accepts).map(({ arg, type, required, description, source }) => ({
        arg: textOf(arg) ?? '',
        type: textOf(type),
        required: required === true,
        description: textOf(description),
        source: source === 'auto' ? undefined : textOf(source)
      })),
      returns: itemsOf(answers.returns).map(({ arg, type, root, description }) =>
        ({ arg: textOf(arg) ?? '', type: textOf(type), root: root === true, description: textOf(description) })),
      force
    })
  }
}

function readArgument (
  text: string
): { arg: string, type: string, required?: boolean, source?: string } {
  const [, arg, type = 'string', required, source] =
    /^([\w$-]+)(?::(\w+(?:\[\])?))?(!)?(?:@(\w+))?$/.exec(text) ?? []
  if (arg === undefined) {
    throw new UsageError(`"${text}" is no argument. Write it as "cups:number!", "tags:string[]" or "where:object@query".`)
  }
  return {
    arg,
    type,
    ...(required === undefined ? {} : { required: true }),
    ...(source === undefined ? {} : { source })
  }
}
