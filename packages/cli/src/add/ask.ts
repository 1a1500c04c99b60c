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
  const dialogue: Partial<NonNullable<Terminal['dialogue']>> = terminal.dialogue ?? {}
  const answer = <T>(given: T): Exclude<T, symbol> => {
    if (!isCancel(given)) return given as Exclude<T, symbol>
    cancel('Cancelled', dialogue)
    throw new CancelledError()
  }

  const askText = async (
    message: string, usual: string | undefined, fault: (text: string) => string | undefined
  ): Promise<string> => {
    const validate = (given: string | undefined): string | undefined => {
      if (given === undefined || given === '') return usual === undefined ? 'Say something.' : undefined
      return fault(given)
    }
    return answer(await text({
      message, validate, ...dialogue, ...(usual === undefined ? {} : { placeholder: usual, defaultValue: usual })
    })) ?? ''
  }

  const askList = async (
    question: ListQuestion, { project, given }: QuestionContext
  ): Promise<readonly QuestionValues[]> => {
    const items: QuestionValues[] = []
    for (;;) {
      const [first, ...others] = question.item as readonly [TextQuestion, ...Question[]]
      const answers: Record<string, QuestionValue> = {}
      const asked: QuestionContext = { project, answers, given }
      const begin = await askText(`${question.message} ${first.message} Empty to end.`, '', given => faultOf(first, given, asked))
      if (begin === '') return items
      answers[first.name] = begin
      for (const each of others) {
        if (each.flagOnly !== true && each.when?.(asked) !== false) answers[each.name] = await ask(each, asked)
      }
      items.push(answers)
    }
  }

  const ask: Ask = async (question, asked) => {
    const { message } = question
    const fault = (given: string): string | undefined => faultOf(question, given, asked)
    switch (question.kind) {
      case 'text': return await askText(message, question.default?.(asked), fault)
      case 'confirm': return answer(await confirm({ message, initialValue: question.default(asked), ...dialogue }))
      case 'list': return await askList(question, asked)
      case 'words': {
        const choices = await question.choices?.(asked)
        if (choices === undefined) {
          return (await askText(`${message} With commas.`, question.default?.().join(','), () => undefined))
            .split(',').map(each => each.trim()).filter(each => each !== '')
        }
        return answer(await multiselect<string>({
          message,
          options: choices.map(optionOf),
          initialValues: [...question.default?.() ?? []],
          required: question.default === undefined,
          ...dialogue
        }))
      }
      case 'choice': {
        const options = question.choices(asked).map(optionOf)
        const usual = question.default?.(asked)
        const chosen = options.length === 0 && question.other !== undefined
          ? otherwise
          : answer(await select<string>({
            message,
            options: question.other === undefined ? options : [...options, { value: otherwise, label: '(other)' }],
            ...(usual === undefined ? {} : { initialValue: usual }),
            ...dialogue
          }))
        return chosen === otherwise ? await askText(question.other ?? message, undefined, fault) : chosen
      }
    }
  }
  return ask
}

const optionOf = ({ value, hint }: { readonly value: string, readonly hint?: string | undefined }) =>
  ({ value, label: value, ...(hint === undefined ? {} : { hint }) })
