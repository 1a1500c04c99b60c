/** What a device is told while it waits (RFC 8628, section 3.5). */
import { OAuthError } from '../errors.js'

export class AuthorizationPending extends OAuthError {
  readonly error = 'authorization_pending'
}

export class SlowDown extends OAuthError {
  readonly error = 'slow_down'
}

export class ExpiredDeviceCode extends OAuthError {
  readonly error = 'expired_token'
}

/** At the token endpoint it is no 403: the client is as it was. */
export class DeviceDenied extends OAuthError {
  readonly error = 'access_denied'
}
