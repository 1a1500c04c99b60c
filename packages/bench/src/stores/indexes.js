/** What a person who knows the loads would have, by table; the same in every store. */
export const INDEXES = {
  Product: [['categoryId', 'price']],
  Review: [['productId']],
  Article: [['createdAt DESC', 'id'], ['categoryId', 'createdAt']]
}

/**
 * The columns of an index in SQL.
 * @param {string[]} columns
 * @param {(name: string) => string} quoted
 */
export const indexColumns = (columns, quoted) =>
  columns.map(column => column.replace(/^\w+/, quoted)).join(', ')
