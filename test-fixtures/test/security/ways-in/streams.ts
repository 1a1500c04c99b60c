/** Reading event streams. */
import type { Asked } from './application.js'

export interface Listening {
  /** All that came, once this has come. */
  until (pattern: RegExp | string): Promise<string>
  text (): string
  close (): Promise<void>
}

/** Opens a stream as the caller. */
export async function listen (
  { origin, token }: Asked, path: string, headers: Readonly<Record<string, string>> = {}
): Promise<Listening & { readonly status: number }> {
  const controller = new AbortController()
  const { status, body } = await fetch(origin + path, {
    headers: { authorization: token, accept: 'text/event-stream', ...headers }, signal: controller.signal
  })
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    status,
    text: () => text,
    async until (pattern) {
      while (!new RegExp(pattern).test(text)) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`The stream ended before ${String(pattern)}: ${text}`)
        text += value
      }
      return text
    },
    async close () {
      controller.abort()
      await reader.cancel().catch(() => {})
    }
  }
}
