/** What the part "data" keeps while the page is there: the models, how many rows each has, what was written here. */
import { signal, type ReadonlySignal } from '@preact/signals'
import type { Api } from '../api/client.js'
import type { ApiDescription } from '../api/description.js'
import type { Router } from '../router.js'
import type { Toasts } from '../toasts.js'
import { useUi, type Ui } from '../ui.js'
import { Counts } from './counts.js'
import { loadModels, type DataModel, type Models } from './models/models.js'
import type { Row } from './models/properties.js'
import { Questions } from './questions.js'

/** A change of a row that was made on this page. */
export interface OwnChange {
  readonly type: 'create' | 'update' | 'remove'
  readonly model: string
  readonly id: unknown
  /** The row as it is by now, where that is known. */
  readonly row?: Row | undefined
}

type Loaded =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed', readonly error: unknown }
  | { readonly kind: 'ready', readonly models: Models }

class DataPart {
  readonly questions = new Questions()
  readonly counts: Counts
  readonly #loaded = signal<Loaded>({ kind: 'loading' })
  readonly #listeners = new Set<(change: OwnChange) => void>()

  constructor ({ api, description, token }: Ui) {
    this.counts = new Counts(api)
    const ready = (models: Models): void => { this.#loaded.value = { kind: 'ready', models } }
    loadModels(description)
      .then(async models => {
        await models.askReadable(token.headers)
        ready(models)
        token.onChange(() => {
          this.counts.forget()
          models.askReadable(token.headers).catch(() => {})
        })
      })
      .catch((error: unknown) => { this.#loaded.value = { kind: 'failed', error } })
  }

  get loaded (): ReadonlySignal<Loaded> { return this.#loaded }

  /** Says that a row was changed here, for all who show it. */
  tell (change: OwnChange): void {
    if (change.type !== 'update') this.counts.forget(change.model)
    for (const listener of this.#listeners) listener(change)
  }

  /** @returns ends it */
  onOwnChange (listener: (change: OwnChange) => void): () => void {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }
}

const kData = Symbol('data')

export function useDataPart (): DataPart {
  const ui = useUi()
  return ui.slot(kData, () => new DataPart(ui))
}

/** What views of rows work with. */
export interface Data {
  readonly part: DataPart
  readonly api: Api
  readonly description: ApiDescription
  readonly models: Models
  readonly router: Router
  readonly toasts: Toasts
}

/** @throws Error before the models are there */
export function useData (): Data {
  const { api, description, router, toasts } = useUi()
  const part = useDataPart()
  const loaded = part.loaded.value
  if (loaded.kind !== 'ready') throw new Error('The models are not there yet')
  return { part, api, description, models: loaded.models, router, toasts }
}

/** The models that the caller may list; empty before they are there. */
export function useListed (): readonly DataModel[] {
  const loaded = useDataPart().loaded.value
  return loaded.kind === 'ready' ? loaded.models.listed : []
}
