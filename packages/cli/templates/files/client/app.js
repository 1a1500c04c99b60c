import { ApiError, call, currentUser, useToken } from './api.js'
import { ResumableUpload } from './resumable-upload.js'

/** @param {string} id @returns {any} */
const byId = id => document.getElementById(id)

/**
 * Text is always text: nothing that users wrote is read as HTML.
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} children
 */
function element (name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/** @param {string} text @param {() => unknown} onClick */
function button (text, onClick) {
  const made = element('button', { type: 'button' }, text)
  made.addEventListener('click', () => { attempt(onClick) })
  return made
}

/** Shows what goes wrong. @param {() => unknown} work */
async function attempt (work) {
  byId('message').hidden = true
  try {
    await work()
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && currentUser() !== undefined) useToken(null)
    byId('message').textContent = error instanceof Error ? error.message : String(error)
    byId('message').hidden = false
  }
  byId('login').hidden = currentUser() !== undefined
  byId('logout').hidden = byId('documents').hidden = currentUser() === undefined
}

async function list () {
  const filter = JSON.stringify({ order: 'createdAt DESC' })
  const documents = await (await call('GET', `/Documents?filter=${encodeURIComponent(filter)}`)).json()
  byId('rows').replaceChildren(...documents.map(row))
}

/** @param {{ id: number, title: string, file: string, size: number, createdAt: string }} document */
function row ({ id, title, file, size, createdAt }) {
  return element('tr', {},
    element('td', {}, title),
    element('td', {}, size.toLocaleString()),
    element('td', {}, new Date(createdAt).toLocaleString()),
    element('td', {},
      button('Download', async () => {
        const answer = await call('GET', `/Folders/${currentUser()}/download/${encodeURIComponent(file)}`)
        save(await answer.blob(), title)
      }),
      ' ',
      button('Delete', async () => {
        await call('DELETE', `/Documents/${id}`)
        await list()
      })))
}

/** @param {Blob} blob @param {string} name */
function save (blob, name) {
  const href = URL.createObjectURL(blob)
  element('a', { href, download: name }).click()
  setTimeout(() => { URL.revokeObjectURL(href) }, 10_000)
}

/** @param {File} file */
function upload (file) {
  const progress = /** @type {HTMLProgressElement} */ (element('progress', {
    max: String(Math.max(file.size, 1)), value: '0', 'aria-label': file.name
  }))
  const state = element('span', { role: 'status' })
  const uploading = new ResumableUpload(`/api/Folders/${currentUser()}/resumable`, file, bytes => { progress.value = bytes })
  const send = async () => {
    resume.hidden = true
    stop.hidden = false
    state.textContent = 'Uploading'
    try {
      await uploading.send()
      line.remove()
      await list()
    } catch (error) {
      state.textContent = error instanceof Error ? error.message : String(error)
      resume.hidden = error instanceof ApiError && error.status < 500
      stop.hidden = true
    }
  }
  const stop = button('Stop', () => { uploading.stop() })
  const resume = button('Resume', send)
  const cancel = button('Cancel', async () => {
    line.remove()
    await uploading.cancel()
  })
  const line = element('li', {}, file.name, progress, state, stop, resume, cancel)
  byId('uploads').append(line)
  attempt(send)
}

byId('choose').addEventListener('change', () => {
  for (const file of byId('choose').files) upload(file)
  byId('choose').value = ''
})

byId('login').addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
  event.preventDefault()
  const { email, password } = Object.fromEntries(new FormData(byId('login')))
  const isNew = /** @type {HTMLButtonElement | null} */ (event.submitter)?.value === 'register'
  attempt(async () => {
    if (isNew) await call('POST', '/Users', { email, password })
    const { id, userId } = await (await call('POST', '/Users/login', { email, password })).json()
    useToken({ id, userId })
    byId('login').reset()
    await list()
  })
})

byId('logout').addEventListener('click', () => {
  attempt(async () => {
    await call('POST', '/Users/logout').finally(() => { useToken(null) })
    byId('rows').replaceChildren()
  })
})

attempt(async () => { if (currentUser() !== undefined) await list() })
