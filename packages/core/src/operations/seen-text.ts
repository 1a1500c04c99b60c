/**
 * Texts of rows whose version the options want to be told (`ROW_SEEN`): it is read off the text that the store wrote,
 * so that no row is made for it.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Id } from '../data-source/connector.js'
import type { TextSupport } from '../data-source/text-support.js'
import { ROW_KNOWN, ROW_SEEN, type OperationOptions } from '../interfaces/operation-options.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { readOptions } from './freshness.js'

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

/**
 * The text of the row with an id, as `seenText`. Where the client has some version and the store is no journey away,
 * the version is looked at first, which is half of the work: most of such requests get no text.
 */
export function findSeenText (
  model: CompiledModel, text: TextSupport, id: Id, options: OperationOptions
): MaybePromise<string | undefined> {
  const { connector, selectVersion, selectVisible } = model
  const reading = readOptions(model, options)
  const whole = (): MaybePromise<string | undefined> =>
    chain(text.findById(model, id, selectVisible, reading), row =>
      row === undefined ? undefined : seenText(model, row, options))
  if (options[ROW_KNOWN] !== true || connector.worksByTurn !== true) return whole()
  return chain(connector.findById(model, id, selectVersion, reading), row =>
    row === undefined ? undefined : options[ROW_SEEN]?.(model, row) === true ? '' : whole())
}
