/** The models in the sidebar: those of the application, and those of users and roles. */
import { useSignal } from '@preact/signals'
import { Icon } from '../components/icon.js'
import { SidebarSearch } from '../components/sidebar-search.js'
import { useCommands } from '../commands.js'
import { useUi } from '../ui.js'
import { useDataPart, useListed } from './data-part.js'
import { listAddress, newAddress, locationIn, plainList } from './list/list-state.js'
import type { DataModel } from './models/models.js'

/** Models that are counted for the list. */
const mostCounted = 60

export function SidebarList () {
  const { router, api } = useUi()
  const { loaded } = useDataPart()
  const listed = useListed()
  const text = useSignal('')
  useCommands(() => listed.flatMap(({ name, create }) => [
    { id: `data ${name}`, title: name, group: 'Data', icon: 'table', run: () => { router.go(listAddress(name, plainList)) } } as const,
    ...api.may(create)
      ? [{ id: `new ${name}`, title: `New ${name}`, group: 'Data', icon: 'plus', run: () => { router.go(newAddress(name, plainList)) } } as const]
      : []
  ]))
  if (listed.length === 0) return null
  const wanted = text.value.trim().toLowerCase()
  const found = listed.filter(({ name }) => name.toLowerCase().includes(wanted))
  const state = loaded.value
  const isOfUsers = (model: DataModel): boolean => state.kind === 'ready' && state.models.isOfUsers(model)
  const [own, users] = [found.filter(model => !isOfUsers(model)), found.filter(isOfUsers)]
  const isCounted = listed.length <= mostCounted
  return (
    <nav aria-label="Models">
      <SidebarSearch
        label="Find a model" text={text.value} onInput={value => { text.value = value }}
        onEnter={() => {
          const first = (own[0] ?? users[0])?.name
          if (first !== undefined) router.go(listAddress(first, plainList))
        }}
      />
      <Group title={users.length > 0 && own.length > 0 ? 'Models' : undefined} models={own} isCounted={isCounted}/>
      <Group title="Users and roles" models={users} isCounted={isCounted}/>
    </nav>
  )
}

function Group ({ title, models, isCounted }: {
  readonly title: string | undefined, readonly models: readonly DataModel[], readonly isCounted: boolean
}) {
  const { model: current } = locationIn(useUi().router.route.value)
  if (models.length === 0) return null
  return (
    <>
      {title !== undefined && <h2 class="sidebar-group">{title}</h2>}
      <ul class="model-list">
        {models.map(model => (
          <li key={model.name}>
            <a class="side-link" href={listAddress(model.name, plainList)} aria-current={model.name === current ? 'page' : undefined}>
              <Icon name={title === 'Users and roles' ? 'users' : 'table'}/><span>{model.name}</span>{isCounted && <Count model={model}/>}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

function Count ({ model }: { readonly model: DataModel }) {
  const count = useDataPart().counts.of(model)
  if (count === undefined) return null
  const short = new Intl.NumberFormat('en', { notation: 'compact' }).format(count)
  return <span class="count" aria-hidden="true" title={`${count} rows`}>{short}</span>
}
