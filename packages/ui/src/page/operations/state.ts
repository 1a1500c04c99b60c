/** What the API part keeps of each operation while the page is open: its fields, its body, what came back. */
import { signal, type Signal } from '@preact/signals'
import type { Action, ApiDescription } from '../api/description.js'
import { ResumableUploads } from '../api/resumable.js'
import type { Ui } from '../ui.js'
import type { Result } from './result.js'
import { isForm } from './form-parts.js'

/** Requests that the history keeps. */
const most = 30

/** A request that was sent. */
export interface Sent {
  readonly id: number
  readonly action: Action
  readonly line: string
  readonly status: string
  readonly milliseconds: number
  readonly at: Date
  readonly fields: Readonly<Record<string, string>>
  readonly body: string
}

export class OperationState {
  /** Texts of the parameters' fields, by `keyOf`. */
  readonly fields = signal<Readonly<Record<string, string>>>({})
  readonly body: Signal<string>
  /** Parts of a form, by their names. */
  readonly parts = signal<ReadonlyMap<string, readonly File[] | string>>(new Map())
  /** Whether an upload goes on after a cut. */
  readonly goesOn = signal(false)
  readonly uploads = new ResumableUploads()
  readonly result = signal<Result | undefined>(undefined)
  stop: (() => void) | undefined

  constructor (readonly action: Action, description: ApiDescription) {
    this.body = signal(firstBody(action, description))
  }

  setField (key: string, text: string): void {
    this.fields.value = { ...this.fields.peek(), [key]: text }
  }
}

/** What names the field of a parameter: a header and a path may have the same name. */
export const keyOf = ({ name, in: position }: { readonly name: string, readonly in: string }): string => `${position} ${name}`

class ApiState {
  readonly #states = new Map<string, OperationState>()
  readonly history = signal<readonly Sent[]>([])
  #sent = 0

  constructor (private readonly description: ApiDescription) {}

  of (action: Action): OperationState {
    const { operationId } = action
    let state = this.#states.get(operationId)
    if (state === undefined) this.#states.set(operationId, state = new OperationState(action, this.description))
    return state
  }

  remember (sent: Omit<Sent, 'id'>): void {
    this.history.value = [{ ...sent, id: ++this.#sent }, ...this.history.peek()].slice(0, most)
  }
}

export const apiStateOf = (ui: Ui): ApiState => ui.slot('api', () => new ApiState(ui.description))

/** What must be given, so that a first request is a good one. */
function firstBody ({ requestBody }: Action, description: ApiDescription): string {
  const media = requestBody?.content['application/json']
  if (requestBody === undefined || media === undefined || isForm(requestBody)) return ''
  const { required = [] } = description.schema(media.schema) as { readonly required?: readonly string[] }
  const beginning = description.beginning(media.schema) ?? Object.fromEntries(required.map(name => [name, '']))
  return JSON.stringify(beginning, null, 2)
}
