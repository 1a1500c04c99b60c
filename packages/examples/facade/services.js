// The services of others that the facade stands before: a REST one, and a SOAP one. In earnest they run elsewhere.
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'

const rates = { CHF: 0.94, USD: 1.08 }
const stock = { 'oak table': 3, chair: 12 }
const wsdl = readFileSync(new URL('stock.wsdl', import.meta.url), 'utf8')

const server = createServer(async (req, res) => {
  const { pathname, host } = new URL(req.url ?? '', `http://${req.headers.host}`)
  const currency = /^\/rates\/(\w+)$/.exec(pathname)?.[1]
  if (currency !== undefined) {
    const rate = rates[currency]
    res.writeHead(rate === undefined ? 404 : 200, { 'content-type': 'application/json' })
    res.end(JSON.stringify(rate === undefined ? { error: 'no such currency' } : { currency, rate }))
    return
  }
  if (req.method === 'GET') {
    res.writeHead(200, { 'content-type': 'text/xml' }).end(wsdl.replaceAll('{host}', host))
    return
  }
  let text = ''
  for await (const chunk of req) text += chunk
  const article = /<(?:\w+:)?article[^>]*>([^<]*)</.exec(text)?.[1] ?? ''
  res.writeHead(200, { 'content-type': 'text/xml' }).end(
    '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>' +
    `<s:CheckResponse xmlns:s="urn:stock"><s:count>${stock[article] ?? 0}</s:count></s:CheckResponse></e:Body></e:Envelope>`
  )
})
server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`Services at http://127.0.0.1:${server.address().port}`)
})
