/** The rights part: who may do what, why, and what would be if a rule were another. */
import { signal, useSignal } from '@preact/signals'
import type { Rights } from '../../contracts/rights.js'
import { useCommands } from '../commands.js'
import { Empty } from '../components/empty.js'
import { Icon } from '../components/icon.js'
import { Notice } from '../components/notice.js'
import { Refused } from '../components/refused.js'
import { SidebarSearch } from '../components/sidebar-search.js'
import { Skeleton } from '../components/skeleton.js'
import { useResource } from '../components/use-resource.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import type { View } from '../views.js'
import { rightsAddress } from './addresses.js'
import { ModelRightsPage } from './model-rights-page.js'
import { OverviewMatrix } from './overview-matrix.js'

export const rightsView: View = { Sidebar: RightsList, Main: RightsPage }

/** What the list in the sidebar shows, once the matrix is read. */
const useNames = () => useUi().slot('rights names', () => signal<readonly string[]>([]))

function RightsPage () {
  const { server, router, token } = useUi()
  const names = useNames()
  const { value: rights, error, reload } = useResource(() => server.get<Rights>('rights.json').then(read => {
    names.value = read.models.map(({ model }) => model)
    return read
  }), [token.value])
  useCommands(() => names.peek().map(name => ({
    id: `rights ${name}`, title: name, group: 'Rights', icon: 'shield-check' as const, run: () => { router.go(rightsAddress(name)) }
  })))
  const { path: [name] } = router.route.value
  if (error !== undefined) return <Refused error={error} onRetry={reload}/>
  if (rights === undefined) return <Skeleton/>
  const model = rights.models.find(each => each.model === name)
  if (name !== undefined && name !== '') {
    return model === undefined
      ? <Empty icon="shield-check" title={`There is no model ${name} here`}><a class="button" href={addressOf('rights')}>To all models</a></Empty>
      : <ModelRightsPage key={name} model={model} roles={rights.roles}/>
  }
  return (
    <>
      <header class="view-head"><h2>Rights</h2></header>
      <div class="view-body rights">
        {!rights.enforced && <Notice kind="warning">Access control is off: nothing is refused. <code>app.enableAuth()</code> switches it on.</Notice>}
        <OverviewMatrix rights={rights}/>
      </div>
    </>
  )
}

function RightsList () {
  const { router, description } = useUi()
  const text = useSignal('')
  const { path: [current] } = router.route.value
  const known = useNames().value
  const names = known.length > 0 ? known : description.document.tags.map(({ name }) => name)
  return (
    <nav aria-label="Models">
      <SidebarSearch label="Find a model" text={text.value} onInput={value => { text.value = value }}/>
      <a class="side-link" href={addressOf('rights')} aria-current={current === undefined ? 'page' : undefined}>
        <Icon name="shield-check"/><span>All models</span>
      </a>
      <ul>
        {names.filter(name => name.toLowerCase().includes(text.value.trim().toLowerCase())).map(name => (
          <li key={name}>
            <a class="side-link" href={rightsAddress(name)} aria-current={current === name ? 'page' : undefined}>
              <Icon name="box"/><span>{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
