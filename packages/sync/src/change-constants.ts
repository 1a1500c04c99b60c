/** What every change model has, whosever changes it keeps (SY-29). */
import { bothDeleted } from './change.js'
import { Conflict } from './conflict.js'
import { changeId, hashOf } from './revision.js'

export const changeConstants = {
  CREATE: 'create',
  UPDATE: 'update',
  DELETE: 'delete',
  UNKNOWN: 'unknown',
  Conflict,
  idForModel: changeId,
  hash: hashOf,
  bothDeleted
} as const
