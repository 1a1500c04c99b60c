import { schemaList } from './components.js'
import { loadDescription, loadHiddenHeaders } from './description.js'
import { byId, element } from './dom.js'
import { setUpLogins } from './logins.js'
import { followAddress, modelList, search } from './tags.js'
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
  setUpLogins(token, description)
  list.replaceChildren(...modelList({ description, token, hiddenHeaders }), schemaList(description))
  const field = byId<HTMLInputElement>('search')
  field.addEventListener('input', () => { search(field.value, list) })
  followAddress(list)
}

const list = byId('models')
start(list).catch((error: unknown) => {
  list.replaceChildren(
    element('p', { class: 'status bad', role: 'alert' }, error instanceof Error ? error.message : String(error))
  )
})
