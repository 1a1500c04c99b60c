// Gets a token in its own name (RFC 6749, 4.4) and reads the orders: node packages/examples/oauth/client.js
const server = process.env.SERVER ?? 'http://127.0.0.1:3000'
const secret = process.env.TILL_SECRET ?? 'only for this example'

const without = await fetch(`${server}/api/Orders`)
console.log('without a token:', without.status, without.headers.get('www-authenticate'))

const answer = await fetch(`${server}/oauth/token`, {
  method: 'POST',
  headers: { authorization: `Basic ${btoa(`till:${encodeURIComponent(secret)}`)}` },
  body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'orders' })
})
const { access_token: token, scope, error } = await answer.json()
if (error !== undefined) throw new Error(error)

const orders = await fetch(`${server}/api/Orders`, { headers: { authorization: `Bearer ${token}` } })
console.log(`with a token for "${scope}":`, orders.status, await orders.text())
