import type { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import type { Session } from '../session/sessions.js'

/** An authorization request waits in the session, as parameters and not as an address (O-042). */
export async function remember ({ sessions }: Provider, session: Session, parameters: Parameters): Promise<void> {
  session.data.pending = parameters.toObject()
  session.data.page = undefined
  await sessions.save(session)
}
