/** LIMIT and OFFSET behind a query, but before what locks its rows. */

/** Some rows of a query, by numbers that the parser has checked; NULL is no limit where the server knows it. */
export function pageSql (sql: string, limit: number | 'NULL', skip: number): string {
  const [, query, lock = ''] = /^(.*?)( FOR UPDATE| FOR SHARE| LOCK IN SHARE MODE)?$/s.exec(sql) as unknown as [string, string, string | undefined]
  return `${query} LIMIT ${limit} OFFSET ${skip}${lock}`
}
