/** What is wrong with an instance, as LoopBack code reads it: `note.errors.title`, `note.errors.codes.title`. */
import { setSubject } from '../error-subject.js'
import type { ValidationError } from '../errors.js'
import { isInstance } from './instance.js'
import type { ModelInstance } from './model-instance.js'

interface Properties { readonly propertyByName: ReadonlyMap<string, unknown> }

/** Says on an instance what its last validation found: the messages by property, or false. */
export function setErrors (model: Properties, instance: ModelInstance, error: ValidationError | undefined): void {
  if (!isInstance(instance)) return
  if (error !== undefined) setSubject(error, instance)
  // Where callers have data of that name, it stays.
  if (model.propertyByName.has('errors') || Object.getOwnPropertyDescriptor(instance, 'errors')?.enumerable) return
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
