/** Where a part of the page cannot be read: why, and a way to log in where that would help. */
import { ServerError } from '../api/server.js'
import { LoginForm } from '../session/login-form.js'
import { useUi } from '../ui.js'
import { Button } from './button.js'
import { Notice } from './notice.js'

export function Refused ({ error, onRetry }: { readonly error: Error, readonly onRetry: () => void }) {
  const { session } = useUi()
  const isForbidden = error instanceof ServerError && error.isForbidden
  return (
    <div class="refused">
      <Notice kind={isForbidden ? 'warning' : 'bad'}>{error.message}</Notice>
      {isForbidden && !session.isLoggedIn && session.isUseful
        ? <div class="card"><h2>Log in</h2><LoginForm/></div>
        : <Button icon="refresh-cw" onClick={onRetry}>Try again</Button>}
    </div>
  )
}
