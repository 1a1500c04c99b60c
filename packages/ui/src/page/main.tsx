/** The start of the page: reads what the server says of itself, and shows the part that the address names. */
import { render } from 'preact'
import type { PageConfig } from '../contracts/page-config.js'
import { Api } from './api/client.js'
import { loadDescription } from './api/description.js'
import { Server } from './api/server.js'
import { Token } from './api/token.js'
import { Commands } from './commands.js'
import { Notice } from './components/notice.js'
import { addressOf, Router } from './router.js'
import { Session } from './session/session.js'
import { Shell } from './shell/shell.js'
import { Theme } from './shell/theme.js'
import { Toasts } from './toasts.js'
import { slots, UiContext, type Ui } from './ui.js'
import { views } from './views.js'

async function loadConfig (): Promise<PageConfig> {
  const response = await fetch('ui.json', { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`The page's settings could not be read: ${response.status}`)
  return await response.json() as PageConfig
}

async function start (root: HTMLElement, theme: Theme): Promise<void> {
  const [config, description] = await Promise.all([loadConfig(), loadDescription()])
  const filled: Array<readonly [string, unknown]> = []
  // A provider sends the browser back to the page, not to a part of it.
  if (window.location.search.includes('state=')) {
    const { takeBack } = await import('./operations/oauth/flow.js')
    filled.push(['oauth', { flow: takeBack() }])
  }
  const token = new Token(description.base)
  const api = new Api(description, token)
  // A login elsewhere that ends here gives the address back that the browser left from, before it is read.
  const session = new Session(token, api, description)
  const [router, toasts, commands] = [new Router(), new Toasts(), new Commands()]
  commands.add(() => config.views.map(name => ({
    id: `view ${name}`, title: views[name].title, group: 'Go to', icon: views[name].icon,
    run: () => { router.go(addressOf(name)) }
  })))
  const ui: Ui = {
    config, description, token, api, server: new Server(token), session, router, toasts, commands, slot: slots(filled)
  }
  // What stood there until now is the empty frame of the page (index.html).
  root.replaceChildren()
  document.title = `${config.title ?? description.document.info.title} – ${nameOf(config)}`
  render(<UiContext.Provider value={ui}><Shell theme={theme}/></UiContext.Provider>, root)
}

/** What pages of one part are known as. */
const nameOf = ({ views: [first, ...more] }: PageConfig): string =>
  more.length > 0 ? 'studio' : first === 'api' ? 'API explorer' : first === 'data' ? 'admin' : String(first)

const root = document.getElementById('app') as HTMLElement
start(root, new Theme()).catch((error: unknown) => {
  root.replaceChildren()
  render(
    <main class="broken"><Notice kind="bad">{error instanceof Error ? error.message : String(error)}</Notice></main>, root)
})
