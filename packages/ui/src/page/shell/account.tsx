/** Who is logged in, at the foot of the sidebar, and the way to log in. */
import { useSignal } from '@preact/signals'
import { Button, IconButton } from '../components/button.js'
import { Dialog } from '../components/dialog.js'
import { Icon } from '../components/icon.js'
import { LoginForm } from '../session/login-form.js'
import { useUi } from '../ui.js'

export function Account () {
  const { session, toasts, description } = useUi()
  const isOpen = useSignal(false)
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
      <Button icon="log-in" onClick={() => { isOpen.value = true }}>Log in</Button>
      {isOpen.value && (
        <Dialog title="Log in" onClose={() => { isOpen.value = false }}>
          <LoginForm onDone={() => { isOpen.value = false }}/>
        </Dialog>
      )}
    </div>
  )
}
