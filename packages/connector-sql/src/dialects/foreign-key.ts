/** Foreign keys as all databases write them. */
import type { ForeignKeyDesign, KeyAction } from '../migration/design.js'
import { quotedName } from '../tables/naming.js'

/**
 * NO ACTION looks when the statement is done: rows may go together with those that lead to them, as in the core.
 * (MySQL looks at each row, whatever it is called.)
 */
const actions: Readonly<Record<KeyAction, string>> = {
  restrict: 'NO ACTION', cascade: 'CASCADE', setNull: 'SET NULL'
}

/** Catalogues tell of either. */
export const isAction = (told: string, action: KeyAction): boolean =>
  told === actions[action] || (action === 'restrict' && told === 'RESTRICT')

/** `REFERENCES "Customer" ("id") ON DELETE CASCADE ON UPDATE NO ACTION` */
export const referencesSql = (
  { target, onDelete, onUpdate }: ForeignKeyDesign, quote: (name: string) => string
): string =>
  `REFERENCES ${quotedName(target, quote)} (${quote(target.column)}) ON DELETE ${actions[onDelete]} ON UPDATE ${actions[onUpdate]}`

/** `CONSTRAINT "Order_customerId_fkey" FOREIGN KEY ("customerId") REFERENCES …` */
export const foreignKeySql = (key: ForeignKeyDesign, quote: (name: string) => string): string =>
  `CONSTRAINT ${quote(key.name)} FOREIGN KEY (${quote(key.column)}) ${referencesSql(key, quote)}`
