/** Logging in: by a password and a second factor, by an account elsewhere, by a token, as somebody in development. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../components/button.js'
import { controlProps, Field } from '../components/field.js'
import { Notice } from '../components/notice.js'
import { useUi } from '../ui.js'
import { LoginAsUser } from './login-as.js'
import type { Outcome, Waiting } from './sign-in.js'

/** @param inWindow whether it stands in the window to log in: while that is open, there is no other form */
export function LoginForm ({ onDone, inWindow = false }: {
  readonly onDone?: () => void, readonly inWindow?: boolean
}) {
  const { config, session, description } = useUi()
  const message = useSignal('')
  const waiting = useSignal<Waiting | undefined>(undefined)
  const isBusy = useSignal(false)
  const end = (outcome: Outcome): void => {
    message.value = outcome.kind === 'failed' ? outcome.message : ''
    if (outcome.kind === 'waiting') waiting.value = outcome.waiting
    if (outcome.kind === 'failed' && outcome.isOver) waiting.value = undefined
    if (outcome.kind === 'done') {
      waiting.value = undefined
      onDone?.()
    }
  }
  const run = (work: () => Promise<Outcome | undefined>): void => {
    isBusy.value = true
    message.value = ''
    work()
      .then(outcome => { if (outcome !== undefined) end(outcome) })
      .catch(() => { message.value = 'The login failed: the server does not respond' })
      .finally(() => { isBusy.value = false })
  }
  useEffect(() => {
    const returned = inWindow ? session.takeReturned() : undefined
    if (returned !== undefined) end(returned)
  }, [])
  if (!inWindow && session.isAsking.value) return null
  return (
    <div class="login">
      {message.value !== '' && <Notice kind="bad">{message.value}</Notice>}
      {waiting.value !== undefined
        ? (
          <SecondFactor
            waiting={waiting.value} isBusy={isBusy.value} run={run}
            onBack={() => { waiting.value = undefined }}
          />
          )
        : (
          <>
            {session.signIn.actions.length > 0 && <PasswordForm isBusy={isBusy.value} run={run}/>}
            <Providers isBusy={isBusy.value} run={run}/>
            {config.development && <LoginAsUser onDone={onDone}/>}
            {description.secured && <TokenForm onDone={onDone}/>}
          </>
          )}
    </div>
  )
}

interface Parts {
  readonly isBusy: boolean
  readonly run: (work: () => Promise<Outcome | undefined>) => void
}

function PasswordForm ({ isBusy, run }: Parts) {
  const { session: { signIn } } = useUi()
  const { actions } = signIn
  const model = useSignal(actions[0]?.operationId ?? '')
  const user = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  useEffect(() => { user.current?.focus() }, [])
  const submit = (event: Event): void => {
    event.preventDefault()
    const action = actions.find(({ operationId }) => operationId === model.value)
    const [name, secret] = [user.current?.value ?? '', password.current?.value ?? '']
    if (action === undefined) return
    run(async () => await signIn.withPassword(action, name, secret))
    // It is in nobody's way any longer than it is needed.
    if (password.current !== null) password.current.value = ''
  }
  return (
    <form class="login-password" onSubmit={submit}>
      {actions.length > 1 && (
        <Field id="login-model" label="As">
          <select
            {...controlProps({ id: 'login-model' })} value={model.value}
            onChange={({ currentTarget }) => { model.value = currentTarget.value }}
          >
            {actions.map(({ operationId, tags }) => <option key={operationId} value={operationId}>{tags[0]}</option>)}
          </select>
        </Field>
      )}
      <Field id="login-user" label="E-mail or user name">
        <input
          {...controlProps({ id: 'login-user' })} ref={user} type="text" autocomplete="username" autocapitalize="off"
          spellcheck={false} required
        />
      </Field>
      <Field id="login-password" label="Password">
        <input
          {...controlProps({ id: 'login-password' })} ref={password} type="password" autocomplete="current-password" required
        />
      </Field>
      <Button kind="primary" type="submit" disabled={isBusy}>Log in</Button>
    </form>
  )
}

function SecondFactor ({ waiting, isBusy, run, onBack }: Parts & {
  readonly waiting: Waiting
  readonly onBack: () => void
}) {
  const { session: { signIn } } = useUi()
  const code = useRef<HTMLInputElement>(null)
  useEffect(() => { code.current?.focus() }, [waiting])
  const submit = (event: Event): void => {
    event.preventDefault()
    const text = code.current?.value ?? ''
    run(async () => await signIn.withCode(waiting, text))
    if (code.current !== null) code.current.value = ''
  }
  return (
    <div class="login-second">
      {waiting.passkey !== undefined && (
        <Button
          kind="primary" icon="fingerprint" disabled={isBusy}
          onClick={() => { run(async () => await signIn.withPasskey(waiting)) }}
        >Use a passkey
        </Button>
      )}
      {waiting.hasCodes && (
        <form onSubmit={submit}>
          <Field id="login-code" label="Code" hint="Of your authenticator application, or a recovery code">
            <input
              {...controlProps({ id: 'login-code', hint: true })} ref={code} type="text" autocomplete="one-time-code"
              autocapitalize="off" spellcheck={false} required
            />
          </Field>
          <Button kind="primary" type="submit" disabled={isBusy}>Log in</Button>
        </form>
      )}
      {!waiting.hasCodes && waiting.passkey === undefined && (
        <Notice kind="warning">The login needs a passkey, which this browser cannot ask for.</Notice>
      )}
      <Button kind="quiet" icon="arrow-left" onClick={onBack}>Another login</Button>
    </div>
  )
}

function Providers ({ isBusy, run }: Parts) {
  const { providers } = useUi().session
  if (providers === undefined || providers.providers.length === 0) return null
  return (
    <div class="login-providers" role="group" aria-label="Log in by an account elsewhere">
      {providers.providers.map(way => (
        <Button
          key={way.path} disabled={isBusy}
          onClick={() => { run(async () => { await providers.begin(way); return undefined }) }}
        >Log in with {way.title}
        </Button>
      ))}
    </div>
  )
}

/** For those who have a token from elsewhere. */
function TokenForm ({ onDone }: { readonly onDone: (() => void) | undefined }) {
  const { session } = useUi()
  const error = useSignal<string | undefined>(undefined)
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: Event): void => {
    event.preventDefault()
    const isTaken = session.useToken((field.current?.value ?? '').trim())
    error.value = isTaken ? undefined : 'No header can have this: a token has neither spaces nor letters beyond ASCII'
    if (isTaken) onDone?.()
  }
  return (
    <details class="login-token">
      <summary>Use a token</summary>
      <form onSubmit={submit}>
        <Field id="login-token" label="Access token" error={error.value}>
          <input
            {...controlProps({ id: 'login-token', error: error.value })} ref={field} type="text" autocomplete="off"
            autocapitalize="off" spellcheck={false} required
          />
        </Field>
        <Button type="submit">Use it</Button>
      </form>
    </details>
  )
}
