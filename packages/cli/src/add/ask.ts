/** Asks the questions of a generator at a terminal. Loaded only when somebody sits at one. */
import { cancel, confirm, isCancel, multiselect, select, text } from '@clack/prompts'
import { CancelledError } from '../errors.js'
import type { Terminal } from '../terminal.js'
import {
  faultOf, type Ask, type ListQuestion, type Question, type QuestionContext, type QuestionValue, type QuestionValues,
  type TextQuestion
} from './questions.js'

/** The choice that leads to another question; no answer has this form. */
const otherwise = ' '

/**
 * Asks by the streams of a terminal.
 * @throws FBK_CLI_CANCELLED from what it returns, after Ctrl-C
 */
export function askAt (terminal: Terminal): Ask {
  const asking = new Asking(terminal.dialogue ?? {})
  return async (question, asked) => await asking.ask(question, asked)
}

type WordsQuestion = Extract<Question, { readonly kind: 'words' }>
type ChoiceQuestion = Extract<Question, { readonly kind: 'choice' }>

class Asking {
  /** @param dialogue the streams; those of the process where there are none */
  constructor (readonly dialogue: Partial<NonNullable<Terminal['dialogue']>>) {}

  async ask (question: Question, asked: QuestionContext): Promise<QuestionValue> {
    switch (question.kind) {
      case 'text': return await this.#text(
        question.message, question.default?.(asked), given => faultOf(question, given, asked))
      case 'confirm': return this.#unlessCancelled(
        await confirm({ message: question.message, initialValue: question.default(asked), ...this.dialogue }))
      case 'list': return await this.#list(question, asked)
      case 'words': return await this.#words(question, asked)
      case 'choice': return await this.#choice(question, asked)
    }
  }

  #unlessCancelled<T> (given: T): Exclude<T, symbol> {
    if (!isCancel(given)) return given as Exclude<T, symbol>
    cancel('Cancelled', this.dialogue)
    throw new CancelledError()
  }

  async #text (
    message: string, usual: string | undefined, fault: (text: string) => string | undefined
  ): Promise<string> {
    const validate = (given: string | undefined): string | undefined => {
      if (given === undefined || given === '') return usual === undefined ? 'Say something.' : undefined
      return fault(given)
    }
    return this.#unlessCancelled(await text({
      message, validate, ...this.dialogue, ...(usual === undefined ? {} : { placeholder: usual, defaultValue: usual })
    })) ?? ''
  }

  /** Items until the first question of one is left empty. */
  async #list (question: ListQuestion, { project, given }: QuestionContext): Promise<readonly QuestionValues[]> {
    const [first, ...others] = question.item as readonly [TextQuestion, ...Question[]]
    const message = `${question.message} ${first.message} Empty to end.`
    const items: QuestionValues[] = []
    for (;;) {
      const answers: Record<string, QuestionValue> = {}
      const asked: QuestionContext = { project, answers, given }
      const begin = await this.#text(message, '', given => faultOf(first, given, asked))
      if (begin === '') return items
      answers[first.name] = begin
      for (const each of others) {
        if (each.flagOnly !== true && each.when?.(asked) !== false) answers[each.name] = await this.ask(each, asked)
      }
      items.push(answers)
    }
  }

  /** Several of the choices, or any words where there are none. */
  async #words (question: WordsQuestion, asked: QuestionContext): Promise<string[]> {
    const { message } = question
    const choices = await question.choices?.(asked)
    if (choices === undefined) {
      const words = await this.#text(`${message} With commas.`, question.default?.().join(','), () => undefined)
      return words.split(',').map(each => each.trim()).filter(each => each !== '')
    }
    return this.#unlessCancelled(await multiselect<string>({
      message,
      options: choices.map(optionOf),
      initialValues: [...question.default?.() ?? []],
      required: question.default === undefined,
      ...this.dialogue
    }))
  }

  async #choice (question: ChoiceQuestion, asked: QuestionContext): Promise<string> {
    const { message, other } = question
    const options = question.choices(asked).map(optionOf)
    const askOther = async (): Promise<string> =>
      await this.#text(other ?? message, undefined, given => faultOf(question, given, asked))
    if (options.length === 0 && other !== undefined) return await askOther()
    const usual = question.default?.(asked)
    const chosen = this.#unlessCancelled(await select<string>({
      message,
      options: other === undefined ? options : [...options, { value: otherwise, label: '(other)' }],
      ...(usual === undefined ? {} : { initialValue: usual }),
      ...this.dialogue
    }))
    return chosen === otherwise ? await askOther() : chosen
  }
}

const optionOf = ({ value, hint }: { readonly value: string, readonly hint?: string | undefined }) =>
  ({ value, label: value, ...(hint === undefined ? {} : { hint }) })
