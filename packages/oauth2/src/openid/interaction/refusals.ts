/** What a client reads when a page would be needed, or the user is not the one that was meant (OI-65). */
import { OAuthError } from '../../errors.js'

/** Nobody is logged in, or the login does not do. */
export class LoginRequired extends OAuthError { readonly error = 'login_required' }
/** The user has not consented. */
export class ConsentRequired extends OAuthError { readonly error = 'consent_required' }
/** Something else is needed of the user: a second factor. */
export class InteractionRequired extends OAuthError { readonly error = 'interaction_required' }
/** The user has to say which account is meant. */
export class AccountSelectionRequired extends OAuthError { readonly error = 'account_selection_required' }
/** The level that the client insists on cannot be reached (Core Unmet Authentication Requirements 1.0). */
export class UnmetAuthenticationRequirements extends OAuthError {
  readonly error = 'unmet_authentication_requirements'
}
