/** What the API refused: where nobody is logged in the way to do so, else why. */
import { RefusedError } from '../api/client.js'
import { Notice } from '../components/notice.js'
import { LoginForm } from '../session/login-form.js'
import { useUi } from '../ui.js'

/** @param hasLogin whether there is place for the form, and no other next to it */
export function Refusal ({ error, hasLogin = true }: { readonly error: unknown, readonly hasLogin?: boolean }) {
  const { session } = useUi()
  const message = error instanceof Error ? error.message : String(error)
  const isForbidden = error instanceof RefusedError && error.isForbidden
  if (!hasLogin || !isForbidden || session.isLoggedIn || !session.isUseful) {
    return (
      <div class="refusal">
        <Notice kind="bad">{message}</Notice>
        {isForbidden && !session.isLoggedIn && session.isUseful && (
          <p class="quiet-text">Log in first: at the foot of the menu.</p>
        )}
      </div>
    )
  }
  return (
    <div class="refusal">
      <Notice kind="bad">{message}</Notice>
      <div class="card"><h3>Log in</h3><LoginForm onDone={focusView}/></div>
    </div>
  )
}

/** The form is gone that had the focus. */
export const focusView = (): void => { document.getElementById('view')?.focus() }
