/** Prompts that the application has for users of clients. */
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js'
import { invalidArguments, limitExceeded } from '../access/request-errors.js'
import type { PromptOptions } from '../options.js'

/** What clients see of a prompt. */
export const promptOf = (name: string, { title, description, arguments: args = {} }: PromptOptions): Prompt => ({
  name,
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  arguments: Object.entries(args).map(([name, { description, required = false }]) =>
    ({ name, required, ...(description === undefined ? {} : { description }) }))
})

/**
 * The prompt with its arguments.
 * @param longest characters of an argument
 * @throws RequestError 400
 */
export async function filledPrompt (
  { description, arguments: known = {}, text }: PromptOptions, given: Readonly<Record<string, string>>, longest: number
): Promise<GetPromptResult> {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name)) throw invalidArguments(`The prompt takes no argument "${name.slice(0, 100)}".`)
    if (value.length > longest) throw limitExceeded(`The argument "${name}" has more than ${longest} characters (limit "text").`)
  }
  for (const [name, { required }] of Object.entries(known)) {
    if (required === true && !Object.hasOwn(given, name)) throw invalidArguments(`The argument "${name}" is required.`)
  }
  const filled = typeof text === 'function'
    ? await text(given)
    : text.replaceAll(/\{(\w+)\}/g, (match, name: string) =>
      Object.hasOwn(known, name) ? (Object.hasOwn(given, name) ? given[name] as string : '') : match)
  return {
    ...(description === undefined ? {} : { description }),
    messages: [{ role: 'user', content: { type: 'text', text: filled } }]
  }
}
