/** What all parts of the page work with. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PageConfig } from '../contracts/page-config.js'
import type { Api } from './api/client.js'
import type { ApiDescription } from './api/description.js'
import type { Server } from './api/server.js'
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
  /** The server of the page itself. */
  readonly server: Server
  readonly session: Session
  readonly router: Router
  readonly toasts: Toasts
  readonly commands: Commands
  /** What a part of the page keeps while the page is there, whichever part is shown; made when it is first needed. */
  readonly slot: <T>(key: string | symbol, make: () => T) => T
}

/** Slots of one page, some of which may be filled already. */
export function slots (filled: ReadonlyArray<readonly [key: string | symbol, value: unknown]> = []): Ui['slot'] {
  const values = new Map<string | symbol, unknown>(filled)
  return <T>(key: string | symbol, make: () => T): T => {
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
