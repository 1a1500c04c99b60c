import { bodyBounds, bounded, convert, defaultOf, queryBounds } from './convert.js'
import { missingVariable } from '../errors.js'
import type { Variable } from './variables.js'

/** Where arguments come from over REST; also where the variable stands. */
export type Source = 'path' | 'query' | 'header' | 'body' | 'form'

/** A variable of a template, as its last place decides (service-connectors.md, SC-T6). */
export interface Declared {
  readonly name: string
  readonly type: string
  readonly source: Source
  /** For calls in JavaScript. */
  readonly required: boolean
  /** For the argument of the remote method: the setting `variables` counts there, too (SC-T5). */
  readonly argumentRequired: boolean
  readonly default: unknown
}

/** What the setting `variables` of a template says of one. */
export interface VariableSettings {
  readonly type?: string
  readonly required?: boolean
  readonly default?: unknown
}

/** Values of variables, each at its slot. */
export type Values = readonly unknown[]

/** The variables of a template, each with a slot. */
export class Scope {
  readonly #slots = new Map<string, number>()
  readonly #declared: Declared[] = []

  /**
   * @param settings of the template
   * @param told is told of what a later place takes back of an earlier one
   */
  constructor (
    readonly settings: Readonly<Record<string, VariableSettings>>, readonly told: (name: string) => void
  ) {}

  get variables (): readonly Declared[] {
    return this.#declared
  }

  /** @returns its slot */
  declare (variable: Variable, source: Source): number {
    const { name, required } = variable
    const settings = Object.hasOwn(this.settings, name) ? this.settings[name] : undefined
    const type = settings?.type ?? variable.type
    const declared: Declared = {
      name,
      type,
      source,
      required,
      argumentRequired: settings?.required ?? required,
      default: settings?.default ?? defaultOf(type, variable.default)
    }
    const slot = this.#slots.get(name) ?? this.#declared.length
    const before = this.#declared[slot]
    if (before !== undefined && takesBack(before, declared)) this.told(name)
    this.#slots.set(name, slot)
    this.#declared[slot] = declared
    return slot
  }

  slot (name: string): number | undefined {
    return this.#slots.get(name)
  }

  /**
   * Fills in defaults and converts.
   * @param given by slot
   * @throws RequestError 400 MISSING_VARIABLE, INVALID_ARGUMENT
   */
  values (given: Values): unknown[] {
    return this.#declared.map(({ name, type, source, required, default: fallback }, slot) => {
      const value = convert(type, given[slot] ?? fallback)
      if (value === undefined && required) throw missingVariable(name)
      return typeof value === 'object' ? bounded(value, source === 'query' ? queryBounds : bodyBounds) : value
    })
  }
}

const takesBack = (before: Declared, after: Declared): boolean =>
  before.type !== after.type || before.required !== after.required || before.default !== after.default
