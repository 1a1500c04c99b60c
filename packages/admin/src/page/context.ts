/** What every view of the page works with. */
import type { Api } from './api.js'
import type { ApiDescription } from './explorer/shared.js'
import type { Models } from './models.js'

export interface Context {
  readonly api: Api
  readonly description: ApiDescription
  readonly models: Models
  /** Tells what was done; the text is read aloud. */
  readonly say: (text: string) => void
  /** Leads to another view, and tells there what was done. */
  readonly go: (address: string, text: string) => void
  /** Tells of an error that no part of a view shows. */
  readonly fail: (error: unknown) => void
}
