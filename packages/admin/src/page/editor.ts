/** What the editors of a form have in common. */
import type { Context } from './context.js'
import type { Control } from './explorer/shared.js'
import type { AdminModel, Property } from './models.js'

/** What cannot be sent; the message stands at the field. */
export class FieldError extends Error {}

/** A control, and how its value is read. */
export interface Editor {
  readonly control: Control
  /** What stands beside the control. */
  readonly beside?: HTMLElement
  /**
   * What to send; undefined for nothing.
   * @throws FieldError where it cannot be sent
   */
  value (): unknown
  /** Files to send beside. */
  files? (): File[]
}

export interface FieldParts {
  readonly property: Property
  readonly id: string
  /** The value that the row has; in a new one its default, undefined where it has none. */
  readonly current: unknown
  readonly model: AdminModel
  readonly context: Context
  /** Id of the row; undefined for a new one. */
  readonly rowId: unknown
}

/** What an empty field means: nothing where there was nothing, else that the value goes. */
export const emptied = ({ current }: FieldParts): unknown => current === undefined ? undefined : null
