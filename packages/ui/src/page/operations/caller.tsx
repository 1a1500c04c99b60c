/** Whose requests these are: a field in the explorer by itself, and in the studio, whose sidebar says more, a line. */
import { useUi } from '../ui.js'
import { apiAddress } from './addresses.js'
import { TokenField } from './token-field.js'

export function Caller () {
  const { config, description, session } = useUi()
  if (!description.secured) return null
  if (config.views.length === 1) return <TokenField/>
  return (
    <p class="request-caller">
      {session.isLoggedIn ? <>Requests go as <strong>{session.user.value ?? 'the owner of the token'}</strong></> : 'Requests go without a login'}
      <a href={apiAddress('')}>Token</a>
    </p>
  )
}
