/**
 * Authorization requests that wait for the user's decision: each belongs to one session and is used once (O-046 to
 * O-050).
 */
import { isSameText } from '@fastback/auth/service'
import type { AuthorizationRequest } from '../checks/authorization-request.js'
import { randomText } from '../digest.js'
import type { States } from '../stores/states.js'
import type { Session, Sessions } from './sessions.js'

const lifetime = 600_000
const mostOpen = 20

export class Transactions {
  constructor (readonly states: States, readonly sessions: Sessions) {}

  /** The id for the form. */
  async begin (session: Session, asked: AuthorizationRequest): Promise<string> {
    const id = randomText()
    const open = [...session.data.transactions ?? [], this.states.digest(id)]
    for (const oldest of open.splice(0, Math.max(0, open.length - mostOpen))) {
      await this.states.remove('transaction', oldest)
    }
    session.data.transactions = open
    await this.states.add('transaction', this.states.digest(id), new Date(Date.now() + lifetime), {
      session: this.states.digest(session.id),
      asked
    }, session.data.userId)
    await this.sessions.save(session)
    return id
  }

  /** The request, once; undefined when there is none (any more), or it is another session's. */
  async take (session: Session, id: string): Promise<AuthorizationRequest | undefined> {
    const key = this.states.digest(id)
    const found = await this.states.get('transaction', key)
    if (found === undefined || !isSameText(found.data.session, this.states.digest(session.id))) return undefined
    return await this.states.remove('transaction', key) ? found.data.asked as AuthorizationRequest : undefined
  }
}
