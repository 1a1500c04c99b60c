/**
 * Texts of rows whose version the options want to be told (`ROW_SEEN`): it is read off the text that the store wrote,
 * so that no row is made for it.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { ROW_SEEN, type OperationOptions } from '../interfaces/operation-options.js'

/** Digits of the largest version. */
const longest = 16

/** Whether finished texts of a model's rows are enough for what the options want to be told of them. */
export const isTextEnough = (model: CompiledModel, options: OperationOptions): boolean =>
  options[ROW_SEEN] === undefined || model.versionMark !== undefined

/** A row's text, or an empty one where the client has it. */
export function seenText (model: CompiledModel, text: string, options: OperationOptions): string {
  const seen = options[ROW_SEEN]
  const { version, versionMark: mark } = model
  if (seen === undefined || mark === undefined || version === undefined) return text
  const at = text.indexOf(mark)
  const value = at === -1 ? NaN : Number.parseInt(text.slice(at + mark.length, at + mark.length + longest), 10)
  return seen(model, Number.isNaN(value) ? {} : { [version.name]: value }) ? '' : text
}
