/** Results out of envelopes. */
import type { SchemaTypes } from '../schema/schema-types.js'
import type { Message } from '../wsdl/operations.js'
import type { Envelope } from './envelope.js'
import { ValueReader, type ReadOptions } from './read-value.js'

/**
 * What the operation answered: the content of the message's element (SO-X1); the parts of RPC by name. Undefined where
 * it is empty, or not the message that is declared.
 */
export async function resultOf (
  { body }: Envelope, output: Message | undefined, types: SchemaTypes, options: ReadOptions
): Promise<unknown> {
  const [first] = body
  if (output === undefined || first === undefined) return undefined
  const { wrapper, parts } = output
  const reader = new ValueReader(options, types)
  if (wrapper !== undefined) {
    return await reader.readInTurns(first, {
      kind: 'complex', name: undefined, elements: parts, byName: byName(parts), attributes: [], text: undefined
    })
  }
  if (parts.length > 1) {
    const found = body.flatMap(element => {
      const part = parts.find(({ name }) => name === element.name)
      return part === undefined ? [] : [[part.name, reader.read(element, part.type)] as const]
    })
    return found.length === 0 ? undefined : Object.fromEntries(found)
  }
  const part = parts.find(({ name }) => name === first.name)
  return part && await reader.readInTurns(first, part.type)
}

const byName = (parts: Message['parts']): ReadonlyMap<string, Message['parts'][number]> =>
  new Map(parts.map(part => [part.name, part]))

/** The headers of an envelope, untyped; undefined without. */
export const headerOf = ({ header }: Envelope, options: ReadOptions): unknown =>
  header === undefined ? undefined : new ValueReader(options).read(header)

/** The result as text all through (SO-M7). */
export const untypedResult = ({ body: [first] }: Envelope, options: ReadOptions): unknown =>
  first === undefined ? undefined : new ValueReader(options).read(first)
