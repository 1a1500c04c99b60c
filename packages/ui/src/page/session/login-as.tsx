/** Whoever develops the application logs in as one of its users, to see what that user sees. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ListedUser, LoginAs, LoginAsRequest, UserList } from '../../contracts/people.js'
import { controlProps, Field } from '../components/field.js'
import { Icon } from '../components/icon.js'
import { Notice } from '../components/notice.js'
import { useUi } from '../ui.js'

/** Users that are listed, and milliseconds without another letter before they are looked for. */
const most = 8
const quiet = 200

export function LoginAsUser ({ onDone }: { readonly onDone: (() => void) | undefined }) {
  const { server, session } = useUi()
  const text = useSignal('')
  const found = useSignal<UserList>({ users: [], more: false })
  const error = useSignal('')
  useEffect(() => {
    const timer = window.setTimeout(() => {
      server.get<UserList>('users.json', { q: text.value.trim(), limit: most }).then(
        list => {
          found.value = list
          error.value = ''
        },
        (failure: Error) => { error.value = failure.message })
    }, text.value === '' ? 0 : quiet)
    return () => { window.clearTimeout(timer) }
  }, [text.value])
  const logIn = ({ model, id }: ListedUser): void => {
    const request: LoginAsRequest = { model, id }
    server.post<LoginAs>('login-as', request).then(
      given => {
        if (session.useToken(given.id, { model: given.model, userId: given.userId })) onDone?.()
      },
      (failure: Error) => { error.value = failure.message })
  }
  return (
    <section class="login-as" aria-label="As one of the users">
      <Field id="login-as" label="As one of the users" hint="While the application is developed, on this machine">
        <input
          {...controlProps({ id: 'login-as', hint: true })} type="search" placeholder="name or e-mail" autocomplete="off" spellcheck={false}
          value={text.value} onInput={({ currentTarget }) => { text.value = currentTarget.value }}
        />
      </Field>
      {error.value !== '' && <Notice kind="bad">{error.value}</Notice>}
      <ul>
        {found.value.users.map(user => (
          <li key={`${user.model} ${user.id}`}>
            <button type="button" class="side-link" onClick={() => { logIn(user) }}>
              <Icon name="user"/><span>as {user.username ?? user.email ?? `${user.model} ${user.id}`}</span>
              {user.roles.map(role => <span key={role} class="chip accent">{role}</span>)}
            </button>
          </li>
        ))}
      </ul>
      {found.value.more && <p class="hint">There are more: type some letters.</p>}
    </section>
  )
}
