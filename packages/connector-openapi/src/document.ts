/** Gets the description of a service: a file or an address, JSON or YAML. */
import { readFile } from 'node:fs/promises'
import type { ServiceClient } from '@fastback/service-client'
import { fromSwagger } from './from-swagger.js'
import { objectOf, type Json } from './json.js'

/** Larger files are no descriptions: 20 MiB. */
const maxBytes = 20 * 1024 * 1024

export const isAddress = (location: string): boolean => /^https?:/i.test(location)

/**
 * ```js
 * const document = await readDocument('./petstore.yaml', client)
 * ```
 * @param location an address, or an absolute file
 * @throws Error that says what is wrong
 */
export async function readDocument (location: string, client: ServiceClient): Promise<Json> {
  const bytes = isAddress(location) ? await fetched(location, client) : await readFile(location)
  if (bytes.length > maxBytes) throw new Error(`it is larger than ${String(maxBytes)} bytes`)
  return versioned(await parsed(bytes.toString('utf8')))
}

async function fetched (url: string, client: ServiceClient): Promise<Buffer> {
  const headers = { accept: 'application/json, application/yaml;q=0.9, */*;q=0.5' }
  const { statusCode, body } = await client.request({ name: 'description', method: 'GET', url, headers })
  if (statusCode !== 200) throw new Error(`the service answered ${String(statusCode)}`)
  return body
}

async function parsed (text: string): Promise<Json> {
  try {
    return objectOf(/^\s*\{/.test(text) ? JSON.parse(text) : (await import('yaml')).parse(text, { maxAliasCount: 100 }))
  } catch (error) {
    throw new Error(`it is neither JSON nor YAML (${(error as Error).message.split('\n')[0] ?? ''})`)
  }
}

/**
 * A document as OpenAPI 3; one of Swagger 2.0 is made one.
 * @throws Error for other versions
 */
export function versioned (document: Json): Json {
  if (document.swagger === '2.0') return fromSwagger(document)
  if (/^3\.[01](?:\.|$)/.test(String(document.openapi))) return document
  throw new Error('it is neither OpenAPI 3.0 or 3.1 nor Swagger 2.0')
}
