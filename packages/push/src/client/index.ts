/**
 * `@fastback/push/client`, for pages: registers this browser for notifications, and takes it back.
 *
 * ```js
 * button.addEventListener('click', () => subscribe({ appId: 'shop', headers: () => ({ authorization: token }) }))
 * ```
 */

/** Where the API is, and whose the notifications are. */
export interface PushClientOptions {
  /** Of the row of `Application` with the keys. */
  readonly appId: string
  /** Default `/api`. */
  readonly api?: string
  /** Where the application serves `@fastback/push/service-worker.js`. Default `/push-worker.js`. */
  readonly worker?: string
  /** Paths below `api`. Default `push` and `Installations`. */
  readonly push?: string
  readonly installations?: string
  /** Asked for each request: how the user is known. Default none. */
  readonly headers?: () => Readonly<Record<string, string>>
  /** More properties of the installation, such as `subscriptions`. */
  readonly properties?: Readonly<Record<string, unknown>>
}

export type PushClientCode =
  'FBK_PUSH_UNSUPPORTED' | 'FBK_PUSH_NO_CLICK' | 'FBK_PUSH_DENIED' | 'FBK_PUSH_NO_SERVICE' | 'FBK_PUSH_REFUSED'

/** What went wrong, with a sentence that a page can show. */
export class PushClientError extends Error {
  override readonly name = 'PushClientError'

  constructor (readonly code: PushClientCode, message: string, options?: ErrorOptions) {
    super(message, options)
  }
}

/**
 * Whether this browser can receive notifications at all.
 *
 * ```js
 * button.hidden = !isSupported()
 * ```
 */
export const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/**
 * Asks the user, subscribes at the browser's push service and registers the installation.
 *
 * Call it in the handler of a click, and await nothing before: browsers ask the user for no page that does otherwise.
 *
 * ```js
 * button.addEventListener('click', () => subscribe({ appId: 'shop' }))
 * ```
 * @returns the id of the installation
 * @throws PushClientError
 */
export async function subscribe (options: PushClientOptions): Promise<string> {
  if (!isSupported()) throw new PushClientError('FBK_PUSH_UNSUPPORTED', 'This browser has no notifications of pages.')
  if (Notification.permission === 'default' && !navigator.userActivation.isActive) {
    throw new PushClientError('FBK_PUSH_NO_CLICK', 'Permission is asked on a click: call subscribe() in its handler.')
  }
  if (await Notification.requestPermission() !== 'granted') {
    throw new PushClientError('FBK_PUSH_DENIED', 'Notifications of this page are not allowed in the browser.')
  }
  const { worker = '/push-worker.js', push = 'push' } = options
  const { publicKey } = await call(options, 'GET', `${push}/web-key?appId=${encodeURIComponent(options.appId)}`) as
    { publicKey: string }
  await navigator.serviceWorker.register(worker)
  const { pushManager } = await navigator.serviceWorker.ready
  const key = bytesOf(publicKey)
  const kept = await pushManager.getSubscription()
  // A subscription belongs to the key that it was made with.
  const isOurs = kept !== null && isSame(kept.options.applicationServerKey, key)
  if (kept !== null && !isOurs) await kept.unsubscribe()
  return await register(options, kept !== null && isOurs ? kept : await begin(pushManager, key))
}

async function begin (pushManager: PushManager, applicationServerKey: BufferSource): Promise<PushSubscription> {
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  } catch (cause) {
    throw new PushClientError('FBK_PUSH_NO_SERVICE', "The browser's push service cannot be reached.", { cause })
  }
}

/**
 * Says that this browser is still there, where it is subscribed: for every visit of a page. It asks the user nothing.
 *
 * ```js
 * const isOn = await refresh({ appId: 'shop' }) !== undefined
 * ```
 * @returns the id of the installation; undefined where the browser is not subscribed
 * @throws PushClientError
 */
export async function refresh (options: PushClientOptions): Promise<string | undefined> {
  const subscription = await subscriptionOf(options)
  return subscription === null ? undefined : await register(options, subscription)
}

/**
 * Removes the installation and the subscription.
 *
 * ```js
 * button.addEventListener('click', () => unsubscribe({ appId: 'shop' }))
 * ```
 * @returns whether there was one
 * @throws PushClientError when the server refuses; the browser is not subscribed any more even then
 */
export async function unsubscribe (options: PushClientOptions): Promise<boolean> {
  const subscription = await subscriptionOf(options)
  const was = await subscription?.unsubscribe() ?? false
  const id = localStorage.getItem(placeOf(options))
  localStorage.removeItem(placeOf(options))
  // Without its id the row goes when the push service says that nobody is there.
  if (id !== null) await call(options, 'DELETE', `${installationsOf(options)}/${encodeURIComponent(id)}`)
  return was
}

async function subscriptionOf ({ worker = '/push-worker.js' }: PushClientOptions): Promise<PushSubscription | null> {
  if (!isSupported()) return null
  const registration = await navigator.serviceWorker.getRegistration(worker)
  return await registration?.pushManager.getSubscription() ?? null
}

async function register (options: PushClientOptions, subscription: PushSubscription): Promise<string> {
  const { endpoint, keys } = subscription.toJSON()
  const { id } = await call(options, 'POST', installationsOf(options), {
    ...options.properties,
    appId: options.appId,
    deviceType: 'web',
    deviceToken: JSON.stringify({ endpoint, keys }),
    lastSeen: new Date()
  }) as { id: string | number }
  localStorage.setItem(placeOf(options), String(id))
  return String(id)
}

const placeOf = ({ appId }: PushClientOptions): string => `fastback.push.${appId}`
const installationsOf = ({ installations = 'Installations' }: PushClientOptions): string => installations

async function call (
  { api = '/api', headers }: PushClientOptions, method: string, path: string, body?: object
): Promise<unknown> {
  let status = 'no response'
  try {
    const answer = await fetch(`${api}/${path}`, {
      method,
      headers: { ...headers?.(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    status = String(answer.status)
    if (answer.ok) return await answer.json()
  } catch (cause) {
    throw new PushClientError('FBK_PUSH_REFUSED', `The server cannot be reached (${status}).`, { cause })
  }
  throw new PushClientError('FBK_PUSH_REFUSED', `The server did not take it (${status}).`)
}

function bytesOf (base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(text, character => character.charCodeAt(0))
}

function isSame (given: ArrayBuffer | null, key: Uint8Array): boolean {
  const own = new Uint8Array(given ?? [])
  return own.length === key.length && own.every((byte, at) => byte === key[at])
}
