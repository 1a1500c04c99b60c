/** Which view the address names: `#/data/Note?skip=25`. Every state that somebody may want to send on is in it. */
import { signal, type ReadonlySignal } from '@preact/signals'

export interface Route {
  /** The part of the page; empty for its first one. */
  readonly view: string
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

/**
 * The route of an address.
 *
 * ```js
 * routeIn('#/data/Note/row/7') // { view: 'data', path: ['Note', 'row', '7'], query: {} }
 * ```
 */
export function routeIn (hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [view = '', ...rest] = path.split('/').map(decoded)
  return { view, path: rest, query: new URLSearchParams(query) }
}

/**
 * The address of a route, for links. Values of the query that are undefined or empty are left out.
 *
 * ```js
 * addressOf('data', ['Note'], { skip: 25 }) // '#/data/Note?skip=25'
 * ```
 */
export function addressOf (
  view: string, path: readonly string[] = [], query: Readonly<Record<string, string | number | undefined>> = {}
): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return `#/${[view, ...path].map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`
}

/** Addresses are typed by people, too. */
function decoded (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether the page is to stay where it is; called with the address that somebody goes to. */
export type Hold = (address: string) => boolean

/** The address of the page, as a signal; `go` changes it. */
export class Router {
  readonly #route = signal(routeIn(window.location.hash))
  readonly #holds = new Set<Hold>()
  #address = window.location.hash

  constructor () {
    window.addEventListener('hashchange', () => {
      const address = window.location.hash
      if ([...this.#holds].some(hold => hold(address))) {
        window.history.replaceState(null, '', this.#address === '' ? '#/' : this.#address)
        return
      }
      this.#show(address)
    })
  }

  /**
   * Asks before the address changes, such as where something is not saved.
   * @returns takes the question away
   */
  hold (hold: Hold): () => void {
    this.#holds.add(hold)
    return () => { this.#holds.delete(hold) }
  }

  #show (address: string): void {
    this.#address = address
    this.#route.value = routeIn(address)
  }

  get route (): ReadonlySignal<Route> {
    return this.#route
  }

  go (address: string): void {
    window.location.hash = address
  }

  /** Another state of the same view, which the browser's "back" does not stop at. */
  replace (address: string): void {
    window.history.replaceState(null, '', address)
    this.#show(address)
  }
}
