/**
 * A row of a body that its schema refuses. Clients are told the schema's violations; code in the process, and clients
 * that `errorDetails: "loopback3"` tells LoopBack's form, read what LoopBack's validations would say of them.
 */
import { ValidationError, type Violation } from '@fastback/core'
import { namePath } from './input.js'

/** What is wrong, as `ValidationError` takes it. */
type Found = NonNullable<ConstructorParameters<typeof ValidationError>[1]>[number]

/**
 * The error for a row, or for a list of rows.
 *
 * ```js
 * throw refusedRow('Note', validate(body), body)
 * ```
 * @param model name of the model
 * @param body what was sent: of a value that is null, LoopBack says that it is not there
 */
export const refusedRow = (model: string, violations: readonly Violation[], body: unknown): ValidationError =>
  new ValidationError(model, violations.map(each => ({ ...each, inProcess: asLoopBack(each, body) })))

function asLoopBack ({ path, code, info }: Violation, body: unknown): Found['inProcess'] {
  const at = (name: unknown): string => path + namePath(String(name))
  if (code === 'required') return { path: at(info.missingProperty), ...blank }
  if (code === 'additionalProperties') return { path: at(info.additionalProperty), ...unknown }
  return code === 'type' && valueAt(body, path) === null ? { ...blank } : undefined
}

const blank = { code: 'presence', message: 'can\'t be blank' }
const unknown = { code: 'unknown-property', message: 'is not defined in the model' }

/** The value of a property of the row itself, or of a row of a list. */
function valueAt (body: unknown, path: string): unknown {
  const [, index, name] = /^(?:\[(\d+)\])?\.(\w+)$/.exec(path) ?? []
  const row = index === undefined ? body : (body as readonly unknown[])[Number(index)]
  return name === undefined ? undefined : (row as Readonly<Record<string, unknown>> | null)?.[name]
}
