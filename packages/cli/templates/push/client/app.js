import { ApiError, authorization, call, currentUser, useToken } from './api.js'
// @ts-ignore -- server/boot/client.js serves it
import { refresh, subscribe, unsubscribe } from '/push-client.js'

/** @param {string} id @returns {any} */
const byId = id => document.getElementById(id)

const options = { appId: 'page', headers: authorization }
let isOn = false

/** Shows what goes wrong. @param {() => unknown} work */
async function attempt (work) {
  byId('message').hidden = true
  try {
    await work()
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && currentUser() !== undefined) useToken(null)
    tell(error instanceof Error ? error.message : String(error))
  }
  byId('login').hidden = currentUser() !== undefined
  byId('logout').hidden = byId('notifications').hidden = currentUser() === undefined
  byId('on').hidden = isOn
  byId('off').hidden = !isOn
}

/** @param {string} text */
function tell (text) {
  byId('message').textContent = text
  byId('message').hidden = false
}

/** Says that this browser is still there, and whose it is. */
const begin = async () => { isOn = currentUser() !== undefined && await refresh(options) !== undefined }

byId('on').addEventListener('click', () => attempt(async () => {
  await subscribe(options)
  isOn = true
}))

byId('off').addEventListener('click', () => attempt(async () => {
  isOn = false
  await unsubscribe(options)
}))

byId('send').addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
  event.preventDefault()
  attempt(async () => {
    const form = /** @type {HTMLFormElement} */ (event.target)
    const { sent } = await (await call('POST', '/push/notify-me', { text: new FormData(form).get('text') })).json()
    form.reset()
    tell(`Sent: ${sent}`)
  })
})

byId('login').addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
  event.preventDefault()
  attempt(async () => {
    const credentials = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (event.target)))
    const { value } = /** @type {HTMLButtonElement} */ (event.submitter)
    if (value === 'register') await call('POST', '/Users', credentials)
    const { id, userId } = await (await call('POST', '/Users/login', credentials)).json()
    useToken({ id, userId })
    await begin()
  })
})

byId('logout').addEventListener('click', () => attempt(async () => {
  // The next user of this browser gets nothing of this one's.
  if (isOn) await unsubscribe(options)
  isOn = false
  await call('POST', '/Users/logout')
  useToken(null)
}))

attempt(begin)
