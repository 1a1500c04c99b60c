import type { ComponentType } from 'preact'
import type { ViewName } from '../../contracts/page-config.js'
import { Button, IconButton } from '../components/button.js'
import { Icon } from '../components/icon.js'
import { Menu } from '../components/menu.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import { views } from '../views.js'
import { Account } from './account.js'
import { modifier } from './keys.js'
import { themes, type Theme } from './theme.js'

const themeIcons = { system: 'monitor', light: 'sun', dark: 'moon' } as const
const themeNames = { system: 'As the system', light: 'Light', dark: 'Dark' } as const

export function Sidebar ({ theme, current, List, onHelp }: {
  readonly theme: Theme
  readonly current: ViewName
  readonly List: ComponentType | undefined
  readonly onHelp: () => void
}) {
  const { config, description, commands } = useUi()
  const { title, version } = description.document.info
  return (
    <aside class="sidebar" id="sidebar" aria-label="Menu">
      <div class="brand">
        <a href={addressOf(config.views[0] as string)}>{config.title ?? title}</a>
        <span class="version" title="Version of the API">{version}</span>
      </div>
      <Button kind="plain" icon="search" title={`${modifier} K`} onClick={() => { commands.open() }}>
        Find anything <kbd>{modifier} K</kbd>
      </Button>
      {config.views.length > 1 && (
        <nav class="parts" aria-label="Parts">
          {config.views.map(name => (
            <a key={name} href={addressOf(name)} aria-current={name === current ? 'page' : undefined}>
              <Icon name={views[name].icon}/><span>{views[name].title}</span>
            </a>
          ))}
        </nav>
      )}
      <div class="sidebar-list">{List !== undefined && <List/>}</div>
      <div class="sidebar-foot">
        <Account/>
        <div class="sidebar-tools">
          <Menu
            label={`Theme: ${themeNames[theme.name.value]}`} icon={themeIcons[theme.name.value]}
            items={themes.map(name => ({
              label: themeNames[name],
              icon: themeIcons[name],
              checked: theme.name.value === name,
              run: () => { theme.set(name) }
            }))}
          />
          <IconButton label="Shortcuts" icon="keyboard" title="Shortcuts ( ? )" onClick={onHelp}/>
        </div>
      </div>
    </aside>
  )
}
