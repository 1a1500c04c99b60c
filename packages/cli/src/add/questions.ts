/**
 * The questions of a generator, declared once: flags, prompts, `--answers` and the refusal of what is missing follow
 * from them (generators.md, CL-1, CL-2).
 */
import type { ArgsDef } from 'citty'
import { UsageError } from '../errors.js'
import type { Project } from './project.js'

export type QuestionValue = string | boolean | readonly string[] | readonly QuestionValues[]
/** By the names of the questions. */
export interface QuestionValues { readonly [question: string]: QuestionValue | undefined }

/** What is known where a question comes up. */
export interface QuestionContext {
  readonly project: Project
  readonly answers: QuestionValues
  /** What the command line said before anybody was asked. */
  readonly given: QuestionValues
}

export interface Choice {
  readonly value: string
  readonly hint?: string | undefined
}

interface Common {
  /** Of the flag, as it is written: `data-source`. */
  readonly name: string
  readonly message: string
  /** Given as a word, not as a flag. */
  readonly positional?: true
  /** Where it comes up. Default: always. */
  readonly when?: (asked: QuestionContext) => boolean
  /** Never asked; a flag alone. */
  readonly flagOnly?: true
}

export interface TextQuestion extends Common {
  readonly kind: 'text'
  /** Undefined: an answer is needed. An empty text: none is. */
  readonly default?: (asked: QuestionContext) => string | undefined
  /** Why a text will not do. */
  readonly fault?: (text: string, asked: QuestionContext) => string | undefined
}

export interface ChoiceQuestion extends Common {
  readonly kind: 'choice'
  readonly choices: (asked: QuestionContext) => readonly Choice[]
  readonly default?: (asked: QuestionContext) => string | undefined
  /** What to ask for something else; left out where there is nothing else. */
  readonly other?: string
  readonly fault?: (text: string, asked: QuestionContext) => string | undefined
}

export interface ConfirmQuestion extends Common {
  readonly kind: 'confirm'
  readonly default: (asked: QuestionContext) => boolean
}

/** Several words: on the command line with commas. */
export interface WordsQuestion extends Common {
  readonly kind: 'words'
  /** What can be chosen; left out: any. */
  readonly choices?: (asked: QuestionContext) => Promise<readonly Choice[]>
  readonly default?: () => readonly string[]
}

/** Several things of one kind: a flag that may be repeated; asked until the first answer is empty. */
export interface ListQuestion extends Common {
  readonly kind: 'list'
  readonly item: readonly Question[]
  /** From the short form of the flag to the answers of `item`. */
  readonly read: (text: string) => QuestionValues
}

export type Question = TextQuestion | ChoiceQuestion | ConfirmQuestion | WordsQuestion | ListQuestion

/** Asks a person. */
export type Ask = (question: Question, asked: QuestionContext) => Promise<QuestionValue>

const always = (): boolean => true
const nothing = (): undefined => undefined

/** Flags of the command line. */
export function flagsOf (questions: readonly Question[]): ArgsDef {
  return Object.fromEntries(questions.map(({ name, message, positional, kind }) => [name, positional === true
    ? { type: 'positional', description: message, required: false }
    : kind === 'confirm'
      ? { type: 'boolean', description: message }
      : {
          type: 'string',
          description: message + (kind === 'list' ? ' Can be given several times' : kind === 'words' ? ' Several with commas' : ''),
          valueHint: kind === 'words' ? 'names' : 'value'
        }]))
}

/**
 * What the command line answers.
 * @param args as citty parsed them
 * @param raw the arguments themselves: of a flag that is repeated, citty keeps the last
 */
export function givenByFlags (
  questions: readonly Question[], args: Readonly<Record<string, unknown>>, raw: readonly string[]
): QuestionValues {
  return Object.fromEntries(questions.flatMap(({ name, kind }) => {
    const value = args[name]
    if (value === undefined) return []
    if (kind === 'list') return [[name, repeated(raw, name)]]
    return [[name, kind === 'words' ? wordsOf(String(value)) : value as string | boolean]]
  }))
}

const wordsOf = (text: string): string[] => text.split(',').map(each => each.trim()).filter(each => each !== '')

function repeated (raw: readonly string[], name: string): string[] {
  return raw.flatMap((word, i) => {
    if (word.startsWith(`--${name}=`)) return [word.slice(name.length + 3)]
    return word === `--${name}` && raw[i + 1] !== undefined ? [raw[i + 1] as string] : []
  })
}

/**
 * What a file of answers says.
 * @throws FBK_CLI_USAGE where it answers what nobody asks, or with a value of another kind
 */
export function givenByFile (questions: readonly Question[], content: unknown): QuestionValues {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new UsageError('The answers must be an object of JSON: {"name": "Coffee"}.')
  }
  for (const [name, value] of Object.entries(content)) {
    const question = questions.find(each => each.name === name)
    if (question === undefined) {
      throw new UsageError(`The answers have "${name}", and nothing asks for it. There are: ${questions.map(each => each.name).join(', ')}.`)
    }
    if (!fits(question, value)) throw new UsageError(`The answer "${name}" must be ${forms[question.kind]}.`)
  }
  return content as QuestionValues
}

const forms = {
  text: 'a text', choice: 'a text', confirm: 'true or false', words: 'a list of texts',
  list: 'a list of texts or objects'
}

function fits ({ kind, ...question }: Question, value: unknown): boolean {
  if (kind === 'confirm') return typeof value === 'boolean'
  if (kind === 'words') return Array.isArray(value) && value.every(each => typeof each === 'string')
  if (kind !== 'list') return typeof value === 'string'
  const { item } = question as ListQuestion
  return Array.isArray(value) && value.every(each => typeof each === 'string' ||
    (typeof each === 'object' && each !== null && !Array.isArray(each) && Object.entries(each).every(([name, held]) =>
      item.some(inner => inner.name === name && fits(inner, held)))))
}

/**
 * All answers: those that were given, those that a person gives, and the defaults.
 * @param ask undefined where nobody can be asked
 * @throws FBK_CLI_USAGE naming the flag of an answer that is missing or wrong; FBK_CLI_CANCELLED
 */
export async function resolveQuestions (
  questions: readonly Question[], given: QuestionValues, project: Project, ask: Ask | undefined
): Promise<QuestionValues> {
  const answers: Record<string, QuestionValue> = {}
  const asked: QuestionContext = { project, answers, given }
  for (const question of questions) {
    const { name, when = always } = question
    const value = given[name]
    if (!when(asked)) {
      if (value !== undefined) throw new UsageError(`${flagOf(question)} has no meaning with these answers.`)
      continue
    }
    if (value !== undefined) answers[name] = checked(question, value, asked)
    else if (ask !== undefined && question.flagOnly !== true) answers[name] = await ask(question, asked)
    else {
      const usual = usualAnswer(question, asked)
      if (usual !== undefined) answers[name] = usual
    }
  }
  return answers
}

/** The answer of somebody who says nothing. */
function usualAnswer (question: Question, asked: QuestionContext): QuestionValue | undefined {
  if (question.kind === 'list') return []
  const usual = question.kind === 'words' ? question.default?.() : question.default?.(asked)
  if (usual !== undefined || question.flagOnly === true) return usual
  const choices = question.kind === 'choice' ? ` One of ${question.choices(asked).map(({ value }) => value).join(', ')}.` : ''
  throw new UsageError(`${question.message} Say ${flagOf(question)}.${choices}`)
}

const flagOf = ({ name, positional }: Question): string => positional === true ? name.toUpperCase() : `"--${name}"`

/** Why an answer will not do. */
export function faultOf (question: Question, value: QuestionValue, asked: QuestionContext): string | undefined {
  const { fault = nothing } = question as Partial<TextQuestion>
  const own = typeof value === 'string' ? fault(value, asked) : undefined
  if (own !== undefined || question.kind !== 'choice' || question.other !== undefined) return own
  const values = question.choices(asked).map(each => each.value)
  return values.includes(String(value)) ? undefined : `is one of ${values.join(', ')}.`
}

function checked (question: Question, value: QuestionValue, asked: QuestionContext): QuestionValue {
  const fault = faultOf(question, value, asked)
  if (fault !== undefined) throw new UsageError(`${flagOf(question)}: "${String(value)}" will not do: ${fault}`)
  if (question.kind !== 'list') return value
  return (value as ReadonlyArray<string | QuestionValues>).map(each => {
    const item = typeof each === 'string' ? question.read(each) : each
    return withDefaults(question.item, item, asked.project)
  })
}

/** The answers of one item, whose questions may not be asked any more. */
function withDefaults (questions: readonly Question[], given: QuestionValues, project: Project): QuestionValues {
  const answers: Record<string, QuestionValue> = {}
  const asked: QuestionContext = { project, answers, given }
  for (const question of questions) {
    const value = given[question.name]
    if (value !== undefined) answers[question.name] = checked(question, value, asked)
    else if ((question.when ?? always)(asked)) {
      const usual = usualAnswer(question, asked)
      if (usual !== undefined) answers[question.name] = usual
    }
  }
  return answers
}

/** A text that was answered; undefined where it is empty. */
export const textOf = (answer: QuestionValue | undefined): string | undefined =>
  typeof answer === 'string' && answer !== '' ? answer : undefined

/** The items of a list. */
export const itemsOf = (answer: QuestionValue | undefined): readonly QuestionValues[] =>
  Array.isArray(answer) ? answer as readonly QuestionValues[] : []

/** Words that were chosen. */
export const namesOf = (answer: QuestionValue | undefined): readonly string[] =>
  Array.isArray(answer) ? answer as readonly string[] : []
