/** `fastback add property` (generators.md, section 4). */
import { UsageError } from '../errors.js'
import { checkName, definitionModuleOf, faultOfName } from '../model-files/index.js'
import type { Generator } from './generator.js'
import { fileOfModel, openProject, setNew, valueAt, type Addition, type Project, type Replacing } from './project.js'
import { propertyDefinition, propertyTypes, withoutDefault, type PropertyOptions } from './property-type.js'
import { namesOf, textOf, type QuestionValues, type ChoiceQuestion, type Question } from './questions.js'

/** A property, and the model that gets it. */
export interface NewProperty extends PropertyOptions, Replacing {
  readonly model: string
}

/**
 * Plans a property of a model.
 *
 * ```js
 * const { changes } = await addProperty('my-app', { model: 'Coffee', name: 'strength', type: 'number', default: '5' })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_UNKNOWN_MODEL, FBK_CLI_EXISTS; FBK_CLI_USAGE for a name that cannot be one, a
 * default that is none of the type, and a KeyValueModel
 */
export async function addProperty (dir: string, { model, force, name, ...property }: NewProperty): Promise<Addition> {
  const project = openProject(dir)
  const file = fileOfModel(project, model)
  mustHaveProperties(project, model)
  checkName('property', name)
  const value = propertyDefinition(property)
  setNew(project.changes, file, ['properties', name], value, `The property "${name}" of "${model}"`, { force })
  return { changes: project.changes, warnings: [], next: ['fastback serve'] }
}

/** GE-P3. */
function mustHaveProperties (project: Project, model: string): void {
  if (valueAt(project.changes.readJson(fileOfModel(project, model)), ['base']) === 'KeyValueModel') {
    throw new UsageError(`"${model}" keeps values by keys, and has no properties.`)
  }
}

const typeQuestion = (
  name: string, message: string, types: readonly string[], only: Partial<ChoiceQuestion>
): ChoiceQuestion =>
  ({ kind: 'choice', name, message, choices: () => types.map(value => ({ value })), other: 'Which type?', ...only })

const typeOf = ({ type }: QuestionValues): string => textOf(type) ?? 'string'

/** What is asked of a property after its name; the same in `add model`. */
export const propertyQuestions: readonly Question[] = [
  { kind: 'text', name: 'name', message: 'Name of the property?', fault: faultOfName },
  typeQuestion('type', 'Its type?', propertyTypes, { default: () => 'string' }),
  typeQuestion('item-type', 'Type of its items?', propertyTypes.filter(each => each !== 'array'), {
    when: ({ answers }) => typeOf(answers) === 'array', default: () => 'string'
  }),
  { kind: 'confirm', name: 'required', message: 'Required?', default: () => false },
  {
    kind: 'text',
    name: 'default',
    message: 'Default value? Empty is none.',
    when: ({ answers }) => !withoutDefault(typeOf(answers)),
    default: () => '',
    fault: (text, { answers }) => {
      try {
        propertyDefinition({ type: typeOf(answers), itemType: textOf(answers['item-type']), default: text })
      } catch (error) {
        return (error as Error).message
      }
    }
  },
  { kind: 'text', name: 'description', message: 'What it is, for the description of the API.', flagOnly: true },
  { kind: 'confirm', name: 'hidden', message: 'Never in an answer.', flagOnly: true, default: () => false },
  { kind: 'confirm', name: 'index', message: 'The store has an index of it.', flagOnly: true, default: () => false },
  { kind: 'words', name: 'enum', message: 'The only values that are taken.', flagOnly: true }
]

/** The property that answers describe. */
export const propertyFrom = (answers: QuestionValues): PropertyOptions => ({
  name: textOf(answers.name) ?? '',
  type: typeOf(answers),
  itemType: textOf(answers['item-type']),
  required: answers.required === true,
  default: textOf(answers.default),
  description: textOf(answers.description),
  hidden: answers.hidden === true,
  index: answers.index === true,
  enum: namesOf(answers.enum)
})

/** Which of the folder's own models is meant. */
export const modelQuestion: ChoiceQuestion = {
  kind: 'choice',
  name: 'model',
  message: 'Which model?',
  positional: true,
  choices: ({ project }) => [...project.models.keys()].map(value => ({ value })),
  fault: (name, { project: { changes, layout } }) => {
    const file = definitionModuleOf(changes, layout, name)
    return file === undefined ? undefined : `it is defined in code; write it in ${file}.`
  }
}

export const propertyGenerator: Generator = {
  command: 'add property',
  description: 'Add a property to a model',
  questions: [modelQuestion, ...propertyQuestions.map(each => each.name === 'name' ? { ...each, positional: true as const } : each)],
  plan: async (dir, answers, { force }) =>
    await addProperty(dir, { model: textOf(answers.model) ?? '', force, ...propertyFrom(answers) })
}
