/** The access token that requests go with, for those who have one from elsewhere, or want to see it. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from '../components/button.js'
import { useUi } from '../ui.js'

export function TokenField () {
  const { token, session } = useUi()
  const text = useSignal(token.value)
  const error = useSignal('')
  useEffect(() => {
    text.value = token.value
    error.value = ''
  }, [token.value])
  const submit = (event: Event): void => {
    event.preventDefault()
    error.value = session.useToken(text.value.trim())
      ? ''
      : 'This is no token: it has blanks or characters that a header cannot hold'
  }
  return (
    <form class="token-field" onSubmit={submit}>
      <label for="input_accessToken">accessToken</label>
      <input
        id="input_accessToken" name="accessToken" type="text" placeholder="accessToken" autocomplete="off" autocapitalize="off"
        spellcheck={false} aria-describedby="token-state" value={text.value}
        onInput={({ currentTarget }) => { text.value = currentTarget.value }}
      />
      <Button type="submit">Set Access Token</Button>
      <output id="token-state" class={`chip ${error.value !== '' ? 'bad' : token.value === '' ? '' : 'good'}`}>
        {error.value !== '' ? error.value : token.value === '' ? 'Token Not Set' : 'Token Set'}
      </output>
    </form>
  )
}
