/** What searches are called in filters. */

/** The name of the condition. */
export const searchKey = '$search'
/** The name by which `order` asks for the rows that fit best. */
export const rankName = '$rank'
