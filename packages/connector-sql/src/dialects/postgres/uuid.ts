/** UUIDs that PostgreSQL gives out. */
import { canStoreUuid } from '../uuid.js'
import { isUuidType } from './declared-types.js'

/** https://www.postgresql.org/docs/current/functions-uuid.html: of version 12 the extension pgcrypto has it. */
export function uuidDefault (declared: string): string | undefined {
  if (isUuidType(declared)) return 'gen_random_uuid()'
  return canStoreUuid(declared) ? 'gen_random_uuid()::text' : undefined
}
