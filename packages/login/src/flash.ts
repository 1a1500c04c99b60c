/** Messages for the next page, as connect-flash keeps them (LG-25). */
import type { Entry } from './entry.js'
import type { Session } from './session.js'
import type { Visit } from './visit.js'

type Flash = (type: string, message: string) => unknown

/** `failureFlash` or `successFlash`: true, a text, or `{ type, message }`. */
export async function flash (visit: Visit, session: Session, { options }: Entry, success: boolean): Promise<void> {
  const said = success ? options.successFlash : options.failureFlash
  if (said === undefined || said === null || said === false) return
  const given = typeof said === 'object' ? said as { type?: unknown, message?: unknown } : { message: said }
  const type = typeof given.type === 'string' ? given.type : success ? 'success' : 'error'
  const message = typeof given.message === 'string' ? given.message : success ? 'logged in' : 'login failed'
  const own = visit.req.flash as Flash | undefined
  if (typeof own === 'function' && !(kOwn in own)) {
    own.call(visit.req, type, message)
    return
  }
  const before = (session.get('flash') ?? {}) as Record<string, string[]>
  await session.set('flash', { ...before, [type]: [...before[type] ?? [], message].slice(-10) })
}

const kOwn = Symbol('fastback.login.flash')

/**
 * `req.flash()` where nobody brought one: with a type its messages, with a message too it adds one, without any all.
 * Messages are given once.
 */
export function flashOf (session: Session) {
  let kept = (session.get('flash') ?? {}) as Record<string, string[]>
  const put = (value: Record<string, string[]>): void => {
    kept = value
    session.set('flash', Object.keys(value).length === 0 ? undefined : value).catch(() => {})
  }
  const read = (type?: string, message?: string): unknown => {
    if (type !== undefined && message !== undefined) {
      const all = [...kept[type] ?? [], message]
      put({ ...kept, [type]: all })
      return all.length
    }
    if (type === undefined) {
      const all = kept
      if (Object.keys(all).length > 0) put({})
      return all
    }
    const { [type]: messages = [], ...rest } = kept
    if (messages.length > 0) put(rest)
    return messages
  }
  return Object.assign(read, { [kOwn]: true })
}
