/** Who is logged in, at the foot of the sidebar, and the way to log in. */
import { Button, IconButton } from '../components/button.js'
import { Icon } from '../components/icon.js'
import { useUi } from '../ui.js'

export function Account () {
  const { session, toasts, description } = useUi()
  const { isAsking } = session
  const logOut = (): void => {
    session.logOut().then(ended => {
      if (ended) toasts.tell('You are logged out.')
      else toasts.fail(new Error('The login is forgotten here, but the server did not end it.'))
    }, (error: unknown) => { toasts.fail(error) })
  }
  if (session.isLoggedIn) {
    return (
      <div class="account">
        <span class="avatar"><Icon name="user"/></span>
        <span class="account-name">{session.user.value ?? 'Logged in'}</span>
        <IconButton label="Log out" icon="log-out" onClick={logOut}/>
      </div>
    )
  }
  if (!session.isUseful && !description.secured) return null
  return (
    <div class="account">
      <Button icon="log-in" onClick={() => { isAsking.value = true }}>Log in</Button>
    </div>
  )
}
