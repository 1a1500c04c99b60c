/** `fastback add relation` (generators.md, section 5). */
import { pluralize, singularize } from 'inflection'
import { UsageError } from '../errors.js'
import { checkName, faultOfName } from '../model-files/index.js'
import type { Generator } from './generator.js'
import { fileOfModel, openProject, setNew, valueAt, type Addition, type Replacing } from './project.js'
import { modelQuestion } from './property.js'
import { textOf, type QuestionContext } from './questions.js'

export const relationTypes = ['hasMany', 'belongsTo', 'hasAndBelongsToMany', 'hasOne'] as const
export type NewRelationType = typeof relationTypes[number]

/** A relation as it is asked for. */
export interface NewRelation extends Replacing {
  readonly model: string
  readonly type: NewRelationType
  /** The model that it leads to; it need not be there yet. */
  readonly to: string
  /** Default: the other model's name with a small letter, in the plural where there are many. */
  readonly name?: string | undefined
  /** Default: as the framework makes it. */
  readonly foreignKey?: string | undefined
  /** `hasMany` alone: the model between. */
  readonly through?: string | undefined
  /** With `through`: the key there that leads to the other model. */
  readonly keyThrough?: string | undefined
  /** Publish its own relations below it. Default: false. */
  readonly nestRemoting?: boolean | undefined
  /** Not to be included by callers. Default: false. */
  readonly disableInclude?: boolean | undefined
  /** Write the other side too. Default: false. */
  readonly inverse?: boolean | undefined
}

/**
 * Plans a relation of a model.
 *
 * ```js
 * const { changes } = await addRelation('my-app', { model: 'Order', type: 'belongsTo', to: 'Customer', inverse: true })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_UNKNOWN_MODEL, FBK_CLI_EXISTS; FBK_CLI_USAGE where the name is taken by a property
 */
export async function addRelation (dir: string, options: NewRelation): Promise<Addition> {
  const project = openProject(dir)
  const { model, type, to, foreignKey, through, keyThrough, nestRemoting, disableInclude, force } = options
  const file = fileOfModel(project, model)
  const name = checkName('relation', options.name ?? usualName(type, to))
  if (through !== undefined && type !== 'hasMany') throw new UsageError('Only a relation of type hasMany leads through another model.')
  if (valueAt(project.changes.readJson(file), ['properties', name]) !== undefined) {
    throw new UsageError(`"${model}" has a property "${name}". Give the relation another name with --name.`)
  }
  const settings = {
    ...(nestRemoting === true ? { nestRemoting } : {}),
    ...(disableInclude === true ? { disableInclude } : {})
  }
  setNew(project.changes, file, ['relations', name], {
    type,
    model: to,
    ...(foreignKey === undefined ? {} : { foreignKey }),
    ...(Object.keys(settings).length === 0 ? {} : { options: settings }),
    ...(through === undefined ? {} : { through }),
    ...(keyThrough === undefined ? {} : { keyThrough })
  }, `The relation "${name}" of "${model}"`, { force })
  if (options.inverse === true) {
    const other = fileOfModel(project, to)
    const back = inverseOf(options)
    setNew(project.changes, other, ['relations', back.name], back.relation, `The relation "${back.name}" of "${to}"`, { force })
  }
  const isKnown = (each: string): boolean => project.models.has(each) || project.config[each] !== undefined
  return {
    changes: project.changes,
    warnings: [to, ...(through === undefined ? [] : [through])].filter(each => !isKnown(each))
      .map(each => `There is no model "${each}" yet: "fastback add model ${each}".`),
    next: ['fastback serve']
  }
}

/** GE-R1, with hasOne in the singular. */
function usualName (type: NewRelationType, to: string): string {
  const name = to.charAt(0).toLowerCase() + to.slice(1)
  return type === 'hasMany' || type === 'hasAndBelongsToMany' ? pluralize(name) : singularize(name)
}

/** The same relation from the other side. */
function inverseOf ({ model, type, foreignKey, through, keyThrough }: NewRelation) {
  const isMany = type === 'belongsTo' || type === 'hasAndBelongsToMany' || through !== undefined
  const back: NewRelationType = type === 'hasAndBelongsToMany' ? type : isMany ? 'hasMany' : 'belongsTo'
  return {
    name: usualName(back, model),
    relation: {
      type: back,
      model,
      ...(through === undefined
        ? foreignKey === undefined ? {} : { foreignKey }
        : {
            ...(keyThrough === undefined ? {} : { foreignKey: keyThrough }),
            through,
            ...(foreignKey === undefined ? {} : { keyThrough: foreignKey })
          })
    }
  }
}

const typeOf = ({ answers }: QuestionContext): NewRelationType => relationTypes.find(each => each === answers.type) ?? 'hasMany'

const isPublicModel = ({ project, answers }: QuestionContext): boolean => project.config[textOf(answers.model) ?? '']?.public !== false

export const relationGenerator: Generator = {
  command: 'add relation',
  description: 'Add a relation to a model',
  questions: [
    modelQuestion,
    { kind: 'choice', name: 'type', message: 'Which type of relation?', choices: () => relationTypes.map(value => ({ value })) },
    {
      kind: 'choice',
      name: 'to',
      message: 'Which model does it lead to?',
      choices: ({ project }) => [...project.models.keys()].map(value => ({ value })),
      other: 'Name of the model?',
      fault: faultOfName
    },
    {
      kind: 'text',
      name: 'name',
      message: 'Name of the relation?',
      default: asked => usualName(typeOf(asked), textOf(asked.answers.to) ?? ''),
      fault: faultOfName
    },
    { kind: 'text', name: 'foreign-key', message: 'Its foreign key? Empty: made from the names.', default: () => '', fault: faultOfName },
    {
      kind: 'choice',
      name: 'through',
      message: 'Through which model? "none" leads there itself.',
      when: asked => typeOf(asked) === 'hasMany',
      choices: ({ project }) => [{ value: 'none' }, ...[...project.models.keys()].map(value => ({ value }))],
      default: () => 'none',
      other: 'Name of the model between?',
      fault: faultOfName
    },
    {
      kind: 'text',
      name: 'key-through',
      message: 'Key of the other model in it? Empty: made from the names.',
      when: ({ answers }) => (answers.through ?? 'none') !== 'none',
      default: () => '',
      fault: faultOfName
    },
    {
      kind: 'confirm', name: 'nest-remoting', message: 'Publish the other model\'s relations below it?', when: isPublicModel, default: () => false
    },
    { kind: 'confirm', name: 'disable-include', message: 'Keep callers from including it?', default: () => false },
    { kind: 'confirm', name: 'inverse', message: 'Write the other side too.', flagOnly: true, default: () => false }
  ],
  plan: async (dir, answers, { force }) => await addRelation(dir, {
    model: textOf(answers.model) ?? '',
    type: relationTypes.find(each => each === answers.type) ?? 'hasMany',
    to: textOf(answers.to) ?? '',
    name: textOf(answers.name),
    foreignKey: textOf(answers['foreign-key']),
    through: answers.through === 'none' ? undefined : textOf(answers.through),
    keyThrough: textOf(answers['key-through']),
    nestRemoting: answers['nest-remoting'] === true,
    disableInclude: answers['disable-include'] === true,
    inverse: answers.inverse === true,
    force
  })
}
