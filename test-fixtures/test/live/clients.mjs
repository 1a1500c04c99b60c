// Clients of live queries, in a process of their own: `node clients.mjs PORT QUERIES GROUPS`. Says when all have their
// rows, and, asked to end, what it took from a change to the client.
import { get } from 'node:http'

const [port, queries, groups] = process.argv.slice(2).map(Number)
const latencies = []

await Promise.all(Array.from({ length: queries }, async (_, i) => {
  // Some are alike, and some are not.
  const filter = { where: { group: i % groups }, order: i % 2 === 0 ? 'at DESC' : 'at', limit: 20 + i % 3 }
  const path = `/api/Notes/live?filter=${encodeURIComponent(JSON.stringify(filter))}`
  await new Promise(resolve => {
    get({ port, path, agent: false }, response => {
      response.setEncoding('utf8').on('data', text => {
        if (text.includes('event: rows')) resolve()
        if (!text.includes('event: changes')) return
        const now = Date.now()
        for (const [, at] of text.matchAll(/"at":(\d{13})/g)) latencies.push(now - Number(at))
      })
    })
  })
}))
process.send({ open: queries })
process.on('message', () => {
  latencies.sort((a, b) => a - b)
  const share = part => latencies[Math.floor(latencies.length * part)]
  const found = { count: latencies.length, p50: share(0.5), p90: share(0.9), p99: share(0.99), most: latencies.at(-1) }
  process.send(found, () => process.exit())
})
