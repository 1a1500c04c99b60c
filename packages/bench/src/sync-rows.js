/** A row of the models of `sync-server.js`, without its id. */
export const makeRow = number => ({
  title: `Title ${number}`,
  body: 'Some words that make up a note, as people write them down. '.repeat(2),
  rank: number,
  done: number % 2 === 0,
  at: '2026-01-02T03:04:05.678Z'
})
