/** What the client of Azure says of errors, which is not for those who ask here. */
import { providerFault } from '../errors.js'

const provider = 'Azure Blob Storage'

interface Refused { readonly statusCode?: unknown, readonly code?: unknown }

/** Whether Azure gave one of these reasons. */
export const isRefused = (error: unknown, ...codes: string[]): boolean => {
  const { code } = ((error as { readonly cause?: unknown } | null)?.cause ?? error ?? {}) as Refused
  return codes.includes(String(code))
}

/** What is not there in answers with one of the statuses. */
export async function unless<T> (statuses: readonly number[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isAzures(error) && statuses.includes(Number((error as Refused).statusCode))) return undefined
    throw isAzures(error) ? providerFault(provider, error) : error
  }
}

/** Errors of Azure have a status, which would be taken for one of ours. */
export async function translatingErrors<T> (work: Promise<T>): Promise<T> {
  return await unless([], work) as T
}

const isAzures = (error: unknown): boolean => (error as { readonly name?: unknown } | null)?.name === 'RestError'
