/** The list in the sidebar: the application's own models, and those that the framework brings. */
import { useSignal } from '@preact/signals'
import type { ModelDefinitionView } from '../../contracts/models.js'
import { Icon } from '../components/icon.js'
import { SidebarSearch } from '../components/sidebar-search.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import { modelAddress } from './addresses.js'
import { definitionsOf } from './definitions-store.js'

export function ModelList () {
  const ui = useUi()
  const text = useSignal('')
  const { path: [current] } = ui.router.route.value
  const models = (definitionsOf(ui).value.value?.models ?? [])
    .filter(({ name }) => name.toLowerCase().includes(text.value.trim().toLowerCase()))
  const own = models.filter(({ builtin }) => !builtin)
  const builtin = models.filter(({ builtin }) => builtin)
  return (
    <nav aria-label="Models">
      <SidebarSearch label="Find a model" text={text.value} onInput={value => { text.value = value }}/>
      <a class="side-link" href={addressOf('models')} aria-current={current === undefined ? 'page' : undefined}>
        <Icon name="workflow"/><span>All models</span>
      </a>
      <ul>{own.map(model => <ModelLink key={model.name} model={model} current={current}/>)}</ul>
      {builtin.length > 0 && (
        <>
          <p class="sidebar-group">Of the framework</p>
          <ul>{builtin.map(model => <ModelLink key={model.name} model={model} current={current}/>)}</ul>
        </>
      )}
    </nav>
  )
}

const ModelLink = ({ model: { name, properties, public: isPublic }, current }: {
  readonly model: ModelDefinitionView, readonly current: string | undefined
}) =>
  <li>
    <a class="side-link" href={modelAddress(name)} aria-current={current === name ? 'page' : undefined}>
      <Icon name={isPublic ? 'box' : 'lock'}/><span>{name}</span>
      <span class="count" title="Properties">{properties.length}</span>
    </a>
  </li>
