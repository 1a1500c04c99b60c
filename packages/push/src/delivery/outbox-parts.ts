/** What the parts of the outbox share. */
import type { PushModels } from '../models/push-models.js'
import type { Applications } from './applications.js'
import type { Recorder } from './recorder.js'

export interface OutboxParts {
  readonly models: PushModels
  readonly applications: Applications
  readonly recorder: Recorder
}
