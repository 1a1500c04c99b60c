/** What is wrong with an instance, as LoopBack code reads it: `note.errors.title`, `note.errors.codes.title`. */
import type { ValidationError } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { isInstance } from './instance.js'
import type { ModelInstance } from './model-instance.js'

/** On a validation error: the instance that it speaks of. */
const SUBJECT = Symbol('fastback.subject')

/** Says on an instance what its last validation found: the messages by property, or false. */
export function tellErrors (model: CompiledModel, instance: ModelInstance, error: ValidationError | undefined): void {
  if (!isInstance(instance)) return
  if (error !== undefined) Object.defineProperty(error, SUBJECT, { value: instance, enumerable: false })
  if (model.propertyByName.has('errors')) return
  Object.defineProperty(instance, 'errors', {
    value: error === undefined ? false : messagesOf(error),
    configurable: true,
    enumerable: false,
    writable: true
  })
}

function messagesOf ({ details: { messages, codes } }: ValidationError): Record<string, string[]> {
  return Object.defineProperty({ ...messages }, 'codes', { value: codes, enumerable: false, configurable: true })
}

/** The instance that a validation error speaks of: LoopBack hands it to callbacks beside the error. */
export const subjectOf = (error: unknown): ModelInstance | undefined =>
  error !== null && typeof error === 'object' ? (error as { [SUBJECT]?: ModelInstance })[SUBJECT] : undefined
