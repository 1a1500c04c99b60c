import type { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import type { Session } from '../session/sessions.js'

/**
 * An authorization request waits in the session, as parameters and not as an address (O-042).
 * @param sent what the browser brought
 * @param parameters what that stands for, where the client has pushed it. Default: the same
 */
export async function remember (
  { sessions }: Provider, session: Session, sent: Parameters, parameters: Parameters = sent
): Promise<void> {
  session.data.pending = sent.toObject()
  session.data.pushed = parameters === sent ? undefined : parameters.toObject()
  session.data.page = undefined
  await sessions.save(session)
}
