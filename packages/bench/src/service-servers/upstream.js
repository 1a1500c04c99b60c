// The service that the servers of the load s1 ask: rows by id.
import { createServer } from 'node:http'

createServer((req, res) => {
  const id = Number(req.url.slice(req.url.lastIndexOf('/') + 1))
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify({ id, name: `Station ${id}`, city: 'Oslo', height: id % 500, since: '1931-01-01T00:00:00.000Z' }))
}).listen(Number(process.env.BENCH_PORT), '127.0.0.1')
