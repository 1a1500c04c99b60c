/** Whose rights are looked at: somebody of the users, or nobody who is logged in. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ListedUser, UserList } from '../../contracts/people.js'
import { controlProps, Field } from '../components/field.js'
import { useUi } from '../ui.js'

/** Milliseconds without another letter before users are looked for. */
const quiet = 250

export interface ChosenUser {
  readonly user: string
  readonly userModel?: string
}

const labelOf = ({ model, id, username, email, roles }: ListedUser): string =>
  `${username ?? email ?? ''} (${model} ${id}${roles.length === 0 ? '' : `, ${roles.join(', ')}`})`

/** @param onChoose is given undefined for an anonymous caller */
export function UserField ({ id, onChoose }: {
  readonly id: string
  readonly onChoose: (user: ChosenUser | undefined) => void
}) {
  const { server, config } = useUi()
  const text = useSignal('')
  const users = useSignal<readonly ListedUser[]>([])
  useEffect(() => {
    // Users are listed only for those who develop the application; others type an id.
    if (!config.development) return
    const timer = window.setTimeout(() => {
      server.get<UserList>('users.json', { q: text.value.replace(/ \(.*$/, ''), limit: 20 })
        .then(list => { users.value = list.users }, () => { users.value = [] })
    }, quiet)
    return () => { window.clearTimeout(timer) }
  }, [text.value])
  const choose = (value: string): void => {
    text.value = value
    const found = users.value.find(user => labelOf(user) === value)
    onChoose(value.trim() === ''
      ? undefined
      : found === undefined ? { user: value.trim() } : { user: String(found.id), userModel: found.model })
  }
  return (
    <Field id={id} label="User" hint={config.development ? 'By name or e-mail; empty for somebody who is not logged in' : 'The id; empty for somebody who is not logged in'}>
      <input
        {...controlProps({ id, hint: true })} type="text" list={`${id}-users`} autocomplete="off" spellcheck={false} value={text.value}
        onInput={({ currentTarget }) => { choose(currentTarget.value) }}
      />
      <datalist id={`${id}-users`}>{users.value.map(user => <option key={`${user.model} ${user.id}`} value={labelOf(user)}/>)}</datalist>
    </Field>
  )
}
