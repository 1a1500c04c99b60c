import type { Validator, Validators, Violation } from '@fastback/core'
import type { RequestInput } from './input.js'
import type { JsonSchema } from './schema.js'

/** Validators for JSON and for forms of one schema. */
export class Checks {
  readonly #json: Validator
  readonly #form: Validator
  constructor (validators: Validators, schema: JsonSchema) {
    this.#json = validators.json(schema)
    this.#form = validators.form(schema)
  }

  violations (input: RequestInput, value: unknown): Violation[] | undefined {
    return (input.kind === 'form' ? this.#form : this.#json)(value)
  }
}
