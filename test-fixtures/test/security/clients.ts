/** Clients of security tests that do more than send a request and read the response. */
import { get, type IncomingHttpHeaders } from 'node:http'
import type { Test } from 'tap'
import type { Answer, Attacked } from './harness.js'

/** What a stream has brought so far, and its end. */
export interface Listening {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  text (): string
  /** Waits for text that matches. */
  until (pattern: RegExp): Promise<string>
  /** The same in what has come since the last call, where there is so much that it cannot be searched each time. */
  next (pattern: RegExp): Promise<void>
  /** When the server closed the stream, by `Date.now()`. */
  readonly ended: Promise<number>
  close (): void
}

/** Opens an event stream below `/api`; closed with the test. */
export async function listen (t: Test, { port }: Attacked, path: string, token?: string): Promise<Listening> {
  return await new Promise((resolve, reject) => {
    const request = get(
      {
        port,
        host: '127.0.0.1',
        path: `/api${path}`,
        agent: false,
        headers: token === undefined ? {} : { authorization: token }
      },
      response => {
        let text = ''
        let fresh = ''
        let changed = (): void => {}
        const ended = new Promise<number>(resolve => {
          response.on('close', () => {
            changed()
            resolve(Date.now())
          })
        })
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            text += chunk
            fresh += chunk
            changed()
          })
          .on('error', () => {})
        const more = async (pattern: RegExp): Promise<void> => {
          if (response.destroyed) throw new Error(`The stream ended before ${String(pattern)}: ${text}`)
          await new Promise<void>(resolve => {
            changed = resolve
          })
        }
        const until = async (pattern: RegExp): Promise<string> => {
          while (!pattern.test(text)) await more(pattern)
          return text
        }
        const next = async (pattern: RegExp): Promise<void> => {
          while (!pattern.test(fresh)) await more(pattern)
          fresh = ''
        }
        t.teardown(() => {
          request.destroy()
        })
        resolve({
          status: response.statusCode as number,
          headers: response.headers,
          text: () => text,
          until,
          next,
          ended,
          close: () => {
            request.destroy()
          }
        })
      }
    )
    request.on('error', reject)
  })
}

export const person = (name: string, extra: object = {}): object => ({
  email: `${name}@x.test`,
  username: name,
  password: `${name}-secret`,
  ...extra
})

/** Registers somebody with `<name>-secret` as password and logs in. */
export async function join ({ send }: Attacked, name: string, users = 'Users'): Promise<{ id: number, token: string }> {
  const made = await send('POST', `/${users}`, { json: person(name) })
  return { id: (made.body as { id: number }).id, token: await logIn(send, name, users) }
}

export async function logIn (
  send: Attacked['send'],
  name: string,
  users = 'Users',
  password = `${name}-secret`
): Promise<string> {
  const { body } = await send('POST', `/${users}/login`, { json: { username: name, password } })
  return (body as { id: string }).id
}

/** The same request so many times at once. */
export async function atOnce (times: number, send: (i: number) => Promise<Answer>): Promise<Answer[]> {
  return await Promise.all(Array.from({ length: times }, async (_, i) => await send(i)))
}

/** How often each status came: `{ 200: 1, 422: 15 }`. */
export function statuses (answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
