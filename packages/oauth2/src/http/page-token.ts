/** The tokens in the forms of pages (O-046). */
import { AccessDenied } from '../errors.js'
import type { Provider } from '../provider.js'
import type { Session } from '../session/sessions.js'
import type { Parameters } from './parameters.js'

/**
 * Pages of the application need no token: origin, cookie and transaction protect them. One that is there must be right.
 */
export function checkFormToken (provider: Provider, session: Session | undefined, body: Parameters): void {
  if (body.get('_csrf') !== undefined) requireFormToken(provider, session, body)
}

/** The same for forms that only this server has: they always have a token. */
export function requireFormToken ({ csrf }: Provider, session: Session | undefined, body: Parameters): void {
  const token = body.get('_csrf')
  if (token === undefined || session === undefined || !csrf.verify(session.data.csrf, token)) {
    throw new AccessDenied('The form is out of date. Go back and try again.')
  }
}
