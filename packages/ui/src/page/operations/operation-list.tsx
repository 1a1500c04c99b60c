/** The list in the sidebar: models, the operations of those that are open, and everything that a search finds. */
import { useSignal } from '@preact/signals'
import { plainId, type Action } from '../api/description.js'
import { Icon } from '../components/icon.js'
import type { IconName } from '../components/icon-names.js'
import { SidebarSearch } from '../components/sidebar-search.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import { apiAddress, operationAddress } from './addresses.js'
import { isFound, wordsOf } from './groups.js'
import { Verb } from './verb.js'

/** Operations that a search shows. */
const most = 60

export function OperationList () {
  const { config, description, router } = useUi()
  const text = useSignal('')
  const { path: [current, operation] } = router.route.value
  const tags = [...description.document.tags].sort((one, other) => one.name.localeCompare(other.name))
  const words = wordsOf(text.value)
  const found = words.length === 0 ? [] : description.actions.filter(action => isFound(action, words))
  return (
    <nav aria-label="Operations">
      <SidebarSearch label="Search operations" text={text.value} onInput={value => { text.value = value }}>
        <p class="sr-only" role="status">
          {words.length === 0 ? '' : found.length === 0 ? `Nothing is called "${text.value.trim()}"` : `${found.length} of ${description.actions.length} operations`}
        </p>
      </SidebarSearch>
      {words.length > 0
        ? (
          <>
            {found.length === 0 && <p class="sidebar-group">Nothing is called "{text.value.trim()}"</p>}
            <ul>
              {found.slice(0, most).map(action => (
                <OperationLink key={action.operationId} action={action} current={operation} full/>
              ))}
            </ul>
            {found.length > most && <p class="sidebar-group">and {found.length - most} more</p>}
          </>
          )
        : (
          <ul>
            {tags.map(({ name }) => {
              const isOpen = name === current
              const actions = description.of(name)
              return (
                <li key={name}>
                  <a
                    class="side-link" href={apiAddress(name)} aria-expanded={isOpen}
                    aria-current={isOpen && operation === undefined ? 'page' : undefined}
                  >
                    <Icon name={isOpen ? 'chevron-down' : 'chevron-right'}/><span>{name}</span>
                    <span class="count">{actions.length}</span>
                  </a>
                  {isOpen && (
                    <ul class="operations-of">
                      {actions.map(action => (
                        <OperationLink key={action.operationId} action={action} current={operation}/>
                      ))}
                    </ul>
                  )}
                </li>
              )
            })}
            <li class="sidebar-group">More</li>
            <MoreLink path="~schemas" title="Schemas" icon="layers" current={current}/>
            {config.graphql !== undefined && <MoreLink path="~graphql" title="GraphQL" icon="workflow" current={current}/>}
            <MoreLink path="~oauth" title="OAuth 2.0" icon="key-round" current={current}/>
            <MoreLink path="~history" title="History" icon="history" current={current}/>
          </ul>
          )}
    </nav>
  )
}

const MoreLink = ({ path, title, icon, current }: {
  readonly path: string, readonly title: string, readonly icon: IconName, readonly current: string | undefined
}) =>
  <li>
    <a class="side-link" href={addressOf('api', [path])} aria-current={current === path ? 'page' : undefined}>
      <Icon name={icon}/><span>{title}</span>
    </a>
  </li>

function OperationLink ({ action, current, full = false }: {
  readonly action: Action, readonly current: string | undefined, readonly full?: boolean
}) {
  const [model = ''] = action.tags
  const name = full ? plainId(action) : plainId(action).slice(model.length + 1).replace(/^prototype\./, '')
  return (
    <li>
      <a
        class="side-link operation-link" href={operationAddress(action)} title={action.summary}
        aria-current={current === action.operationId ? 'page' : undefined}
      >
        <span>{action.deprecated === true ? <s>{name}</s> : name}</span><Verb verb={action.verb}/>
      </a>
    </li>
  )
}
