/** UUIDs that SQLite gives out. */
import { canStoreUuid } from '../uuid.js'

const randomHex = (bytes: number): string => `lower(hex(randomblob(${bytes})))`

/** Version 4: the third group begins with a 4, the fourth with one of four letters. */
const randomUuid = `(${randomHex(4)} || '-' || ${randomHex(2)} || '-4' || substr(${randomHex(2)}, 2) || '-' || ` +
  `substr('89ab', 1 + (random() & 3), 1) || substr(${randomHex(2)}, 2) || '-' || ${randomHex(6)})`

export const uuidDefault = (declared: string): string | undefined =>
  /^uuid$/i.test(declared) || canStoreUuid(declared) ? randomUuid : undefined
