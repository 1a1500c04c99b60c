import { schemaList } from './components.js'
import { loadDescription, loadHiddenHeaders } from './description.js'
import { byId, element } from './dom.js'
import { setUpLogins } from './logins.js'
import type { Page } from './operation.js'
import { setUpSignIn } from './sign-in.js'
import { followAddress, modelList, search } from './tags.js'
import { setUpTheme } from './theme.js'
import { setUpTokenForm } from './token-form.js'
import { Token } from './token.js'

async function start (list: HTMLElement): Promise<void> {
  const [description, hiddenHeaders] = await Promise.all([loadDescription(), loadHiddenHeaders()])
  const { info } = description.document
  const token = new Token()
  document.title = `${info.title} – API explorer`
  byId('title').textContent = info.title
  byId('version').textContent = info.version
  byId('about').textContent = info.description ?? ''
  setUpTokenForm(token, description)
  setUpLogins(token, description, setUpSignIn(token, description))
  const page = { description, token, hiddenHeaders }
  list.replaceChildren(...modelList(page), schemaList(description))
  setUpSearch(page, list)
  followAddress(list, page)
}

/** From anywhere but a field, `/` leads to the search; Escape leaves it empty. */
function setUpSearch (page: Page, list: HTMLElement): void {
  const field = byId<HTMLInputElement>('search')
  const find = (): void => { search(field.value, list, page, byId('found')) }
  field.addEventListener('input', find)
  document.addEventListener('keydown', event => {
    const { target, key } = event
    if (key === 'Escape' && target === field) {
      field.value = ''
      find()
    }
    if (key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
    if (target instanceof HTMLElement && target.matches('input, select, textarea')) return
    event.preventDefault()
    field.focus()
  })
}

setUpTheme()
const list = byId('models')
start(list).catch((error: unknown) => {
  list.replaceChildren(
    element('p', { class: 'status bad', role: 'alert' }, error instanceof Error ? error.message : String(error))
  )
})
