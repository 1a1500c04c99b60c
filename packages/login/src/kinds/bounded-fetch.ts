/** Fetches of the server at providers: of bounded size, over https, and not to where a response leads (LG-79). */
import { LoginFailure } from '../errors.js'

const most = 1_048_576
const loopback = /^(?:127(?:\.\d+){3}|localhost|\[::1\])$/

/** Whether an address may be asked: https, or plain http on this machine, or wherever the entry lets it. */
export function isAllowed (address: string, insecure: boolean): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && (insecure || loopback.test(hostname)))
}

type Options = Omit<RequestInit, 'body' | 'signal'> & { readonly body?: unknown, readonly signal?: AbortSignal | undefined }

/** `fetch` as `openid-client` asks for it. Redirects are answers, not ways on. */
export const boundedFetch = (insecure: boolean) =>
  async (address: string, options: Options): Promise<Response> => {
    if (!isAllowed(address, insecure)) throw new LoginFailure('PROVIDER_ERROR', 'an address without https')
    const response = await fetch(address, { ...options, redirect: 'manual' } as RequestInit)
    if (response.body === null) return response
    const parts: Uint8Array[] = []
    let length = 0
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      length += part.length
      if (length > most) throw new LoginFailure('PROVIDER_ERROR', 'a response of more than 1 MB')
      parts.push(part)
    }
    const { status, statusText, headers } = response
    // A body that was unpacked has another length than the header says.
    const plain = new Headers(headers)
    for (const name of ['content-length', 'content-encoding']) plain.delete(name)
    return new Response([204, 304].includes(status) ? null : Buffer.concat(parts),
      { status, statusText, headers: plain })
  }
