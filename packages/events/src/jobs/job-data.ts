/** What a job may carry: JSON of a limited size that its schema allows. */
import type { TSchema } from '@sinclair/typebox'
import { optionsFault } from '@fastback/core/connector'
import { invalidJobData } from '../errors.js'

/**
 * The data as a handler gets it.
 * @param most bytes
 * @throws RequestError 422 INVALID_JOB_DATA
 */
export function jobData (name: string, given: unknown, schema: TSchema | undefined, most: number): unknown {
  let text: string | undefined
  try {
    text = JSON.stringify(given ?? null)
  } catch {
    throw invalidJobData(name, 'is no JSON.')
  }
  if (text === undefined) throw invalidJobData(name, 'is no JSON.')
  if (Buffer.byteLength(text) > most) throw invalidJobData(name, `is larger than ${most} bytes ("largestData").`)
  const data = JSON.parse(text) as unknown
  mustMatch(name, data, schema)
  return data
}

/** @throws RequestError 422 INVALID_JOB_DATA, which names the property and never its value */
export function mustMatch (name: string, data: unknown, schema: TSchema | undefined): void {
  const fault = schema === undefined ? undefined : optionsFault(schema, data, 'property')
  if (fault !== undefined) throw invalidJobData(name, `is not what its schema allows: ${fault}`)
}
