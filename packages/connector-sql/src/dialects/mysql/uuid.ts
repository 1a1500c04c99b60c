import { canStoreUuid, isUuid, refusesUuid } from '../uuid.js'
import type { Server } from './flavour.js'
import type { MysqlFormat } from './formats.js'
import { text } from './texts.js'

/** MariaDB's type: equal as its texts are, and in another order than they, which no index has. */
export function uuid (server: Server): MysqlFormat {
  const { flavour: { collation } } = server
  return {
    ...text(server, undefined),
    declaredType: 'UUID',
    canStore: isUuid,
    refuses: refusesUuid,
    sorted: column => `CONVERT(${column} USING utf8mb4) COLLATE ${collation}`
  }
}

export const uuidDefault = (declared: string): string | undefined =>
  /^uuid$/i.test(declared) || canStoreUuid(declared) ? '(uuid())' : undefined
