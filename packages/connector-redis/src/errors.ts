import { startUpErrors } from '@fastback/core/connector'

const redis = startUpErrors('REDIS')

/** The first connection fails. Later failures are logged and tried again. */
export const NotReachableError = redis<[dataSource: string, reason: string]>(
  'NOT_REACHABLE',
  'Data source "%s": Redis cannot be reached (%s).'
)
/** A model with rows is attached to a data source that stores values by key. */
export const KeysOnlyError = redis<[dataSource: string, model: string]>(
  'KEYS_ONLY',
  'Data source "%s" keeps values by key, not rows: model "%s" must extend "KeyValueModel", or live in another data source.'
)
