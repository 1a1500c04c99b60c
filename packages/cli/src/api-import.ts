/** What an import of an API description asks for. */
import type { Addition } from './add/project.js'

/** What was found in a description, and planned. */
export interface ApiImport extends Addition {
  readonly models: readonly string[]
  /** `Pet.findByStatus`, in the order of the description. */
  readonly methods: readonly string[]
}
