/** What all parts of the page work with. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PageConfig } from '../contracts/page-config.js'
import type { Api } from './api/client.js'
import type { ApiDescription } from './api/description.js'
import type { Token } from './api/token.js'
import type { Commands } from './commands.js'
import type { Router } from './router.js'
import type { Session } from './session/session.js'
import type { Toasts } from './toasts.js'

export interface Ui {
  readonly config: PageConfig
  readonly description: ApiDescription
  readonly token: Token
  readonly api: Api
  readonly session: Session
  readonly router: Router
  readonly toasts: Toasts
  readonly commands: Commands
  /** What a part of the page keeps while the page is there, made when it is first wanted. */
  readonly slot: <T>(key: symbol, make: () => T) => T
}

/** Slots of one page. */
export function slots (): Ui['slot'] {
  const values = new Map<symbol, unknown>()
  return function slot<T> (key: symbol, make: () => T): T {
    if (!values.has(key)) values.set(key, make())
    return values.get(key) as T
  }
}

export const UiContext = createContext<Ui | undefined>(undefined)

/** @throws Error outside of the page */
export function useUi (): Ui {
  const ui = useContext(UiContext)
  if (ui === undefined) throw new Error('This component is a part of the page')
  return ui
}
