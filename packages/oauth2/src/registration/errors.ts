/** What is wrong with a registration (RFC 7591, section 3.2.2). */
import { OAuthError } from '../errors.js'

export class InvalidClientMetadata extends OAuthError {
  readonly error = 'invalid_client_metadata'
}

export class InvalidRedirectUri extends OAuthError {
  readonly error = 'invalid_redirect_uri'
}

export class InvalidSoftwareStatement extends OAuthError {
  readonly error = 'invalid_software_statement'
}
