import { createClient } from '@fastback/client'
import { indexedDbStore } from '@fastback/client/indexeddb'
import { account, logIn, logOut } from './account.js'

/** @typedef {{ id: string, title: string, done: boolean, ownerId: number }} Note */

/** @param {string} id @returns {any} */
const byId = id => document.getElementById(id)

/** Two devices in one browser have stores of their own (two.html). */
const device = new URLSearchParams(window.location.search).get('device')
let isCut = false

/** @type {import('@fastback/client').Client<{ Note: Note }> | undefined} */
let client

/** Begins with what is here; the server is asked when there is a line. */
async function begin () {
  const user = account()
  byId('login').hidden = user !== null
  byId('notes').hidden = byId('logout').hidden = user === null
  byId('line').hidden = user === null || device === null
  byId('state').textContent = ''
  if (user === null) return
  /** @type {import('@fastback/client').Client<{ Note: Note }>} */
  const opened = createClient({
    baseUrl: '/api',
    token: () => account()?.id,
    user: user.userId,
    models: { Note: {} },
    store: indexedDbStore({ name: `notes-${device ?? 'page'}` }),
    fetch: async (...request) => {
      if (isCut) throw new TypeError('The line is cut.')
      return await fetch(...request)
    }
  })
  client = opened
  await opened.ready()
  opened.Note.live({ order: ['done', 'title'] }, showNotes)
  opened.state.subscribe(show)
  show(opened.state.value)
}

/** @param {import('@fastback/client').SyncState} state */
async function show ({ status, error, pending, conflicts, refused }) {
  if (client === undefined) return
  const words = { idle: 'All saved', syncing: 'Saving …', offline: 'No line', error: error?.message ?? 'Not saved' }
  byId('state').textContent = words[status] + (pending > 0 ? `, ${pending} to send` : '')
  byId('state').dataset.status = status
  if (error?.code === 'UNAUTHORIZED') tell('Log out and in again: your writes are kept until then.')
  if (refused > 0) {
    const writes = await client.refused.list()
    tell(writes.map(each => /** @type {any} */ (each.error)?.message ?? 'A write was refused.').join(' '))
    await client.refused.clear()
  }
  byId('conflicts-title').hidden = conflicts === 0
  byId('conflicts').replaceChildren(...(conflicts === 0 ? [] : await client.conflicts.list()).map(conflictItem))
}

/** @param {Note[]} notes */
function showNotes (notes) {
  const list = byId('list')
  // Where somebody is typing stays as it is.
  const typing = list.contains(document.activeElement) ? document.activeElement?.closest('li') : null
  list.replaceChildren(...notes.map(note => typing?.dataset.id === note.id ? typing : noteItem(note)))
}

/** @param {Note} note */
function noteItem ({ id, title, done }) {
  const item = document.createElement('li')
  item.dataset.id = id
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: done, ariaLabel: `Done: ${title}` })
  box.addEventListener('change', () => attempt(() => client?.Note.patch(id, { done: box.checked })))
  const text = Object.assign(document.createElement('input'), { type: 'text', value: title, maxLength: 200, ariaLabel: 'Title' })
  text.addEventListener('change', () => attempt(() => client?.Note.patch(id, { title: text.value })))
  item.append(box, text, button('Delete', `Delete ${title}`, () => client?.Note.delete(id)))
  return item
}

/** @param {import('@fastback/client').Conflict} conflict */
function conflictItem (conflict) {
  const item = document.createElement('li')
  const said = (/** @type {any} */ row) => row === null ? 'deleted' : `“${row.title}”${row.done ? ', done' : ''}`
  const text = document.createElement('span')
  text.textContent = `Here ${said(conflict.local)}, at the server ${said(conflict.remote)}`
  item.append(
    text,
    button('Keep mine', 'Keep mine', () => conflict.resolve('local')),
    button('Take theirs', 'Take theirs', () => conflict.resolve('remote'))
  )
  return item
}

/** @param {string} text @param {string} label @param {() => unknown} work */
function button (text, label, work) {
  const made = Object.assign(document.createElement('button'), { type: 'button', textContent: text, ariaLabel: label })
  made.addEventListener('click', () => attempt(work))
  return made
}

/** @param {string} text */
function tell (text) {
  byId('message').textContent = text
  byId('message').hidden = text === ''
}

/** Shows what goes wrong. @param {() => unknown} work */
async function attempt (work) {
  tell('')
  try {
    await work()
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error))
  }
}

byId('add').addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
  event.preventDefault()
  const form = /** @type {HTMLFormElement} */ (event.target)
  attempt(async () => {
    await client?.Note.create({ title: String(new FormData(form).get('title')), done: false })
    form.reset()
  })
})

byId('login').addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
  event.preventDefault()
  attempt(async () => {
    const credentials = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (event.target)))
    const { value } = /** @type {HTMLButtonElement} */ (event.submitter)
    await logIn(value === 'register' ? 'register' : 'login', credentials)
    await begin()
  })
})

// The next user of this browser finds nothing of this one's: also what waits is lost, so it is asked for.
byId('logout').addEventListener('click', () => attempt(async () => {
  const waiting = client?.state.value.pending ?? 0
  if (waiting > 0 && !window.confirm(`${waiting} of your notes are not at the server yet, and would be lost. Log out?`)) return
  await client?.signOut()
  client = undefined
  await logOut()
  await begin()
}))

byId('line').addEventListener('click', () => {
  isCut = !isCut
  byId('line').textContent = isCut ? 'Bring the line back' : 'Cut the line'
  byId('line').ariaPressed = String(isCut)
  if (!isCut) attempt(() => client?.sync())
})

navigator.serviceWorker?.register('/worker.js')
attempt(begin)
