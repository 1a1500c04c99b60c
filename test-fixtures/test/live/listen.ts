/** Opens live queries over HTTP, as a browser does. */
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { applied } from './reader.js'

type Loose = any

export interface Listening {
  readonly status: number
  /** Of an error. */
  readonly body: Loose
  /** What the client holds. */
  readonly rows: () => Loose[]
  readonly events: () => string[]
  /** The id of the last event. */
  readonly id: () => string | undefined
  readonly text: () => string
  /** Until something is so, for four seconds. */
  until (is: (rows: Loose[]) => boolean): Promise<void>
  readonly hasEnded: () => boolean
  cut (): void
}

/** @param path below `/api`, with the filter */
export async function listen (
  t: Test, app: Loose, path: string, filter: object | undefined, headers: Record<string, string> = {}
): Promise<Listening> {
  if (app.server.address() === null) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const query = filter === undefined ? '' : `?filter=${encodeURIComponent(JSON.stringify(filter))}`
  let text = ''
  let rest = ''
  let rows: Loose[] = []
  let id: string | undefined
  let hasEnded = false
  const events: string[] = []
  const take = (part: string): void => {
    const parts = (rest + part).split('\n\n')
    rest = parts.pop() ?? ''
    for (const each of parts) {
      const event = /^event: (.*)$/m.exec(each)?.[1]
      if (event === undefined) continue
      events.push(event)
      id = /^id: (.*)$/m.exec(each)?.[1] ?? id
      const data = JSON.parse(/^data: (.*)$/m.exec(each)?.[1] ?? 'null')
      if (event === 'rows' || event === 'changes') rows = applied(rows, { event, data })
    }
  }
  return await new Promise((resolve, reject) => {
    const request = get({
      port, path: `/api${path}/live${query}`, agent: false, headers: { accept: 'text/event-stream', ...headers }
    }, response => {
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        take(part)
      }).on('error', () => {}).on('close', () => { hasEnded = true })
      const listening = (body?: unknown): void => {
        resolve({
          status: response.statusCode ?? 0,
          body,
          rows: () => rows,
          events: () => events,
          id: () => id,
          text: () => text,
          hasEnded: () => hasEnded,
          cut: () => { request.destroy() },
          async until (is) {
            for (let tries = 0; tries < 400 && !is(rows); tries++) await new Promise(resolve => setTimeout(resolve, 10))
          }
        })
      }
      if (response.statusCode === 200) listening()
      else response.on('end', () => { listening(JSON.parse(text)) })
    }).on('error', reject)
    t.teardown(() => request.destroy())
  })
}
