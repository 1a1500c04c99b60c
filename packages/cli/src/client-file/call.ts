/** The part of a client that makes a call of its table of operations. */
import type { ClientParts } from './client-parts.js'
import { keepTag, patchType, rowStateHeaders } from './row-states.js'

export const callFunctions = (parts: ClientParts): string => `${entryType(parts)}

/** Makes a client: const api = createClient({ baseUrl: 'http://localhost:3000/api' }) */
export function createClient (options: ClientOptions): Client {
  const client: Record<string, Record<string, unknown>> = {}
  for (const [model, entries] of Object.entries<Readonly<Record<string, Entry>>>(operations)) {
    const api: Record<string, unknown> = client[model] = {}
    for (const [name, entry] of Object.entries(entries)) api[name] = (...given: unknown[]) => ${callByEntry(parts)}
  }
  return client as unknown as Client
}

${callFunction(parts)}`

/** Parts that are there, where a part of an API is. */
type Optional = string | false

const joined = (members: readonly Optional[], between: string): string =>
  members.filter(member => member !== false).join(between)

/** What an entry of the table says: what is sent, and what comes. */
const entryType = ({ hasFiles, isResumable, hasPages, isLive }: ClientParts): string => {
  const sends = joined(["'none'", "'json'", "'form'", hasFiles && "'row'", isResumable && "'resumable'"], ' | ')
  const gives = joined(["'file'", hasPages && "'page'", isLive && "'live'"], ' | ')
  return `type Place = 'path' | 'query' | 'header'
type Entry = readonly [verb: string, path: string, places: Readonly<Record<string, Place>>, sends: ${sends}, gives?: ${gives}]`
}

/** Most are calls; an upload that goes on after a cut and a live query are functions of their own. */
const callByEntry = ({ isLive, isResumable }: ClientParts): string => joined([
  isLive && "entry[4] === 'live' ? followLive(options, entry, given as []) : ",
  isResumable ? "(entry[3] === 'resumable' ? uploadResumable : call)" : 'call',
  '(options, entry, given)'
], '')

const callFunction = ({ hasFiles, hasPages, hasTags, hasKeys }: ClientParts): string => {
  const given = '(given.shift() ?? {}) as CallOptions & { readonly stream?: boolean }'
  const options = joined([
    'headers: own', 'signal', 'onResponse', !hasKeys && 'onProgress', 'stream = false', hasTags && 'ifMatch, patch'
  ], ', ')
  const sent = hasPages ? 'sent' : 'parameters'
  const form = "sends === 'form' ? body as Readonly<Record<string, unknown>> | undefined : undefined"
  return joined([
    'async function call (client: ClientOptions, [verb, path, places, sends, gives]: Entry, given: unknown[]): Promise<unknown> {',
    '  const parameters = Object.keys(places).length === 0 ? {} : (given.shift() ?? {}) as Record<string, unknown>',
    hasPages && "  const sent = gives === 'page' ? { ...parameters, filter: pageFilter(parameters.filter) } : parameters",
    "  const body = sends === 'none' ? undefined : given.shift()",
    hasKeys && `  const options = ${given}`,
    `  const { ${options} } = ${hasKeys ? 'options' : given}`,
    "  const headers = await headersOf(client, gives === 'file' ? '*/*' : 'application/json', own)",
    hasTags && rowStateHeaders,
    `  const address = addressOf(client, path, places, ${sent}, headers)`,
    '  const init: Upload = { method: verb, headers }',
    '  if (signal !== undefined) init.signal = signal',
    `  const form = ${hasFiles ? "sends === 'row' ? rowForm(body) : " : ''}${form}`,
    '  if (form !== undefined) {',
    '    // Its boundary is not known yet.',
    "    headers.delete('content-type')",
    '    init.body = formOf(form)',
    '  } else if (body !== undefined) {',
    `    headers.set('content-type', ${hasTags ? patchType : "'application/json'"})`,
    '    init.body = JSON.stringify(body)',
    '  }',
    hasKeys
      ? "  const response = await sendRepeatedly(client, verb + ' ' + path, address, init, options)"
      : '  const response = await send(client, address, init, onProgress)',
    '  onResponse?.(response)',
    "  if (response.ok && gives === 'file') return stream ? response : await response.blob()",
    '  const answer = parsed(await response.text())',
    '  if (!response.ok) throw new ApiError(response.status, answer)',
    hasTags && keepTag,
    `  return ${hasPages ? "gives === 'page' ? pageOf(answer, response.headers) : " : ''}answer`,
    '}'
  ], '\n')
}
