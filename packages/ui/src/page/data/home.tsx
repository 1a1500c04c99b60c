/** The models whose rows the caller may list, as cards with how many rows each has. */
import { Empty } from '../components/empty.js'
import { Icon } from '../components/icon.js'
import { LoginForm } from '../session/login-form.js'
import { useUi } from '../ui.js'
import { useDataPart, useListed } from './data-part.js'
import { listAddress, newAddress, plainList } from './list/list-state.js'
import type { DataModel } from './models/models.js'
import { focusView } from './refusal.js'

export function Home () {
  const { session } = useUi()
  const listed = useListed()
  if (listed.length === 0) {
    return session.isLoggedIn || !session.isUseful
      ? <Empty icon="database" title={session.isLoggedIn ? 'There is no model whose rows you may list.' : 'There is no model whose rows one may list without a login.'}/>
      : (
        <div class="refusal">
          <div class="card">
            <h2>Log in</h2>
            <p class="quiet-text">There is no model whose rows one may list without a login.</p>
            <LoginForm onDone={focusView}/>
          </div>
        </div>
        )
  }
  return (
    <div class="data-page">
      <header class="view-head"><h2>Models</h2></header>
      <div class="view-body"><ul class="cards">{listed.map(model => <Card key={model.name} model={model}/>)}</ul></div>
    </div>
  )
}

function Card ({ model }: { readonly model: DataModel }) {
  const { api } = useUi()
  const count = useDataPart().counts.of(model)
  const { create, columns, name } = model
  return (
    <li class="card model-card">
      <a class="model-name" href={listAddress(name, plainList)}><Icon name="table"/><span>{name}</span></a>
      <p class="quiet-text model-columns">
        {columns.slice(0, 5).map(column => column.name).join(', ')}{columns.length > 5 ? ' …' : ''}
      </p>
      <div class="model-foot">
        <span class="count">
          {count === undefined ? '' : count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`}
        </span>
        {api.may(create) && <a class="button quiet" href={newAddress(name, plainList)} aria-label={`New ${name}`}><Icon name="plus"/>New</a>}
      </div>
    </li>
  )
}
