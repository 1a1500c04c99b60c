// Written by "fastback types" from the model definitions: a change here is lost. Run it again after a change of the models.
import type * as fastback from '@fastback/cli'

/** The model classes by name, as in `app.models`. */
export interface Models {}

/** What boot scripts are called with. */
export type Application = fastback.Application<Models>

declare module '@fastback/cli' {
  /** Where relations find the definitions of other models. */
  interface ModelTypes {}
}
