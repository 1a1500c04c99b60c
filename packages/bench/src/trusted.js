import { COUNTS } from './data.js'

// The data of the loads t1 to t6: the products once for each setting, so that none is measured with another.

/** What a table's rows are made of (data.js). */
export const TRUSTED_TABLES = { Versioned: 'Product', Historied: 'Product', Keyed: 'Product', Tagged: 'Product' }

/** What a server with the settings makes beside those tables; emptied between measurements. */
export const TRUSTED_RECORDS = ['HistoriedHistory', 'IdempotencyKey']

/** The path of a table's rows. */
export const trustedPath = table => `/api/${table}`

/** What takes away what loads added to tables that are there: rows behind the products, and all of the records. */
export const trimStatements = tables => tables.map(table =>
  `DELETE FROM "${table}"${TRUSTED_RECORDS.includes(table) ? '' : ` WHERE "id" > ${COUNTS.products}`}`)
