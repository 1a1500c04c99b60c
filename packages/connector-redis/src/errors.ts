import createError from '@fastify/error'

/** The first connection fails. Later failures are logged and tried again. */
export const NotReachableError = createError<[dataSource: string, reason: string]>(
  'FBK_REDIS_NOT_REACHABLE',
  'Data source "%s": Redis cannot be reached (%s).',
  500
)
/** A model with rows is attached to a data source that keeps values by key. */
export const KeysOnlyError = createError<[dataSource: string, model: string]>(
  'FBK_REDIS_KEYS_ONLY',
  'Data source "%s" keeps values by key, not rows: model "%s" must extend "KeyValueModel", or live in another data source.',
  500
)
