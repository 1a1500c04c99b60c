/** The page: who is logged in, the models beside, and the view that the address names. */
import { Api, RefusedError } from './api.js'
import type { Context } from './context.js'
import { deletedView } from './deleted-view.js'
import { byId, element, loadDescription, setUpTheme, Token } from './explorer/shared.js'
import { listView } from './list-view.js'
import { setUpLogin } from './login.js'
import { loadModels, type AdminModel, type Models } from './models.js'
import { newView, rowView } from './row-view.js'
import { Session } from './session.js'
import { listAddress, nowhere, listStateIn } from './where.js'

const view = byId('view')
const said = byId('said')

function say (text: string): void {
  said.textContent = text
  said.className = ''
}

function fail (error: unknown): void {
  said.textContent = error instanceof Error ? error.message : String(error)
  said.className = 'error'
}

async function start (): Promise<void> {
  const description = await loadDescription()
  const models = await loadModels(description)
  const { title } = description.document.info
  const token = new Token()
  const api = new Api(description, token)
  const session = new Session(token, api, models, description)
  let news = ''
  const go = (address: string, text: string): void => {
    news = text
    window.location.hash = address
  }
  const context: Context = { api, description, models, say, go, fail }
  byId('title').textContent = `${title} – admin`
  document.title = `${title} – admin`
  let leave = new AbortController()
  const login = setUpLogin(session, token, description, () => {
    login.hide()
    open().catch(fail)
  })
  setUpAccount(session, login)
  const menu = setUpModels(models)

  const open = async (): Promise<void> => {
    leave.abort()
    leave = new AbortController()
    const { signal } = leave
    const way = wayIn(window.location.hash)
    const model = models.get(way.model)
    markCurrent(way.model)
    document.title = `${model === undefined ? '' : `${model.name} – `}${title} – admin`
    try {
      if (way.model === '') view.replaceChildren(home(models, session))
      else if (model?.find === undefined) throw new Error(`There is no model ${way.model} here.`)
      else if (way.part === 'new') await newView(model, context, view)
      else if (way.part === 'deleted') await deletedView(model, context, view)
      else if (way.part === 'row') await rowView(model, way.id, context, view, signal)
      else await listView(model, listStateIn(way.query), context, view, signal)
    } catch (error) {
      if (!signal.aborted) view.replaceChildren(refusal(error, model, session))
    }
  }
  const byAddress = (): void => {
    say(news)
    news = ''
    open().then(() => { if (document.activeElement === document.body) view.focus() }).catch(fail)
  }
  window.addEventListener('hashchange', () => {
    // What the login form covers is read when it goes.
    if (!byId('sides').hidden) byAddress()
  })
  const know = async (): Promise<void> => {
    await models.askReadable(token.headers)
    menu()
  }
  token.addEventListener('change', () => {
    leave.abort()
    const known = know()
    if (!session.isLoggedIn) {
      view.replaceChildren()
      login.show()
      known.catch(fail)
      return
    }
    login.hide()
    say('You are logged in.')
    known.then(open).then(() => { view.focus() }).catch(fail)
  })
  await know()
  if (!session.isLoggedIn && login.isUseful) {
    view.replaceChildren()
    login.show()
  } else await open()
}

const parts = ['list', 'new', 'row', 'deleted'] as const

interface Way {
  readonly model: string
  readonly part: typeof parts[number]
  readonly id: string
  readonly query: URLSearchParams
}

/** `#/Note?order=…`, `#/Note/new`, `#/Note/deleted`, `#/Note/row/7`. */
function wayIn (hash: string): Way {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [model = '', part = '', id = ''] = path.split('/').map(decoded)
  return { model, part: parts.find(each => each === part) ?? 'list', id, query: new URLSearchParams(query) }
}

/** Addresses are typed by people, too. */
function decoded (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function refusal (error: unknown, model: AdminModel | undefined, session: Session): HTMLElement {
  const { message } = error as Error
  const isForbidden = error instanceof RefusedError && error.isForbidden
  return element('div', {},
    model === undefined ? undefined : element('h2', {}, model.name),
    element('p', { class: 'error', role: 'alert' }, message),
    isForbidden && !session.isLoggedIn ? element('p', {}, 'Log in first: the button is at the top of the page.') : undefined)
}

function home (models: Models, session: Session): HTMLElement {
  const { listed } = models
  return element('div', {},
    element('h2', {}, 'Models'),
    listed.length === 0
      ? element('p', {}, session.isLoggedIn
        ? 'There is no model whose rows you may list.'
        : 'There is no model whose rows one may list without a login.')
      : element('ul', { class: 'cards' }, ...listed.map(({ name }) =>
        element('li', {}, element('a', { href: listAddress(name, nowhere) }, name)))))
}

function setUpAccount (session: Session, login: { show (): void, readonly isUseful: boolean }): void {
  const logIn = byId<HTMLButtonElement>('log-in')
  const logOut = byId<HTMLButtonElement>('log-out')
  const show = (): void => {
    logIn.hidden = session.isLoggedIn || !login.isUseful
    logOut.hidden = !session.isLoggedIn
    byId('who').textContent = ''
    if (!session.isLoggedIn) return
    session.name().then(name => { byId('who').textContent = name ?? 'Logged in' }).catch(() => {
      byId('who').textContent = 'Logged in'
    })
  }
  logIn.addEventListener('click', () => { login.show() })
  logOut.addEventListener('click', () => {
    logOut.disabled = true
    session.logOut().then(ended => {
      say(ended ? 'You are logged out.' : 'The login is forgotten here, but the server did not end it.')
    }).catch(fail).finally(() => { logOut.disabled = false })
  })
  session.onChange(show)
  show()
}

/**
 * The list of models: beside the view, or above it where there is little room.
 *
 * @returns what shows the models that the caller may list by now
 */
function setUpModels (models: Models): () => void {
  const details = byId<HTMLDetailsElement>('models-details')
  const find = byId<HTMLInputElement>('find-model')
  const draw = (): void => {
    const { listed } = models
    byId('models').hidden = listed.length === 0
    byId('model-list').replaceChildren(...listed.map(({ name }) =>
      element('li', {}, element('a', { href: listAddress(name, nowhere), 'data-model': name }, name))))
    markCurrent(wayIn(window.location.hash).model)
    search()
  }
  const wide = window.matchMedia('(min-width: 50rem)')
  const fit = (): void => { details.open = wide.matches }
  wide.addEventListener('change', fit)
  fit()
  window.addEventListener('hashchange', fit)
  const search = (): void => {
    for (const line of byId('model-list').children) {
      const text = line.textContent ?? ''
      ;(line as HTMLElement).hidden = !text.toLowerCase().includes(find.value.trim().toLowerCase())
    }
  }
  find.addEventListener('input', search)
  find.addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter') return
    byId('model-list').querySelector<HTMLElement>('li:not([hidden]) a')?.click()
  })
  document.addEventListener('keydown', event => {
    const { target, key } = event
    if (key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
    if (target instanceof HTMLElement && target.matches('input, select, textarea')) return
    event.preventDefault()
    details.open = true
    find.focus()
  })
  return draw
}

function markCurrent (model: string): void {
  for (const link of byId('model-list').querySelectorAll<HTMLElement>('a')) {
    if (link.dataset.model === model) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}

// The address names the view, so this one leads there by hand.
byId('skip').addEventListener('click', event => {
  event.preventDefault()
  view.focus()
})
setUpTheme()
start().catch((error: unknown) => {
  view.replaceChildren(
    element('p', { class: 'error', role: 'alert' }, error instanceof Error ? error.message : String(error)))
})
