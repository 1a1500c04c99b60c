/** Errors of conditions on rows. */
import { RequestError, ValidationError, type CompiledModel } from '@fastback/core'

/** 428: the model's setting `requireMatch`. */
export const matchRequired = (): RequestError => new RequestError(
  428, 'Say which state of the row this changes: send the ETag of the row in If-Match.',
  { name: 'PreconditionRequiredError', code: 'PRECONDITION_REQUIRED' }
)

/** 412: `If-None-Match: *` of a row that is there. */
export const rowExistsAlready = (modelName: string, id: unknown): RequestError => new RequestError(
  412, `There is a row ${String(id)} of ${modelName} already. Leave "If-None-Match: *" out to write it.`,
  { name: 'PreconditionFailedError', code: 'PRECONDITION_FAILED' }
)

/**
 * A version of a new row, which the store makes: refused or passed over, as what clients only read.
 * @throws ValidationError 422 readOnly
 */
export function versionOnCreate (
  { name: modelName, settings, Model }: CompiledModel, name: string, prefix: string
): void {
  if ((settings.readOnlyProperties ?? Model.registry.settings.readOnlyProperties) === 'ignore') return
  throw new ValidationError(modelName, [
    { path: `${prefix}.${name}`, code: 'readOnly', message: 'can only be read', info: {} }
  ])
}
