import { Agent, request } from 'node:http'
import { COUNTS, makeProduct } from '../data.js'
import { seeded } from '../random.js'

const REQUESTS = 1_000_000
const CONNECTIONS = 10
/** Requests of a turn: every row that it creates it deletes. */
const TURN = 5
const LOOKS = 10
/** Until so many requests the young generation grows, and code is compiled. */
const SETTLED = 200_000
/** A byte for each request, of some 30 MB. */
const HEAP_FACTOR = 1.03
const RESIDENT_FACTOR = 1.1

/** What lives in the heap, and what the process takes, is to be at the end what it was after 200,000 requests. */
export default {
  name: 'mixed',
  title: `${REQUESTS / 1e6} million requests: by id, list, patch, create, delete`,
  looksAtHeap: true,
  async run (target, { scale, say, check }) {
    const turns = Math.max(LOOKS, Math.round(REQUESTS * scale / TURN / CONNECTIONS))
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    const send = (method, path, body) => sendTo(agent, target.port, method, `/api/Products${path}`, body)
    const randoms = Array.from({ length: CONNECTIONS }, (_, client) => seeded(client + 1))
    let bad = 0
    const looks = []
    const began = performance.now()
    try {
      for (let look = 0; look < LOOKS; look++) {
        const share = Math.floor(turns * (look + 1) / LOOKS) - Math.floor(turns * look / LOOKS)
        await Promise.all(randoms.map(async random => {
          for (let turn = 0; turn < share; turn++) bad += await takeTurn(send, random)
        }))
        looks.push({ heap: await target.heap(), resident: target.memory() })
      }
    } finally {
      agent.destroy()
    }
    const count = turns * TURN * CONNECTIONS
    const list = key => looks.map(look => look[key].toFixed(1)).join(' ')
    say(
      `${count} requests in ${((performance.now() - began) / 1000).toFixed(0)} s, ${bad} of them badly answered; ` +
        `living ${list('heap')} MB, resident ${list('resident')} MB`
    )
    check('every answer good', bad === 0)
    if (count < 2 * SETTLED) return
    const settled = looks.slice(Math.ceil(SETTLED / count * LOOKS) - 1)
    checkFlat('what lives in the heap', 'heap', HEAP_FACTOR)
    checkFlat('memory', 'resident', RESIDENT_FACTOR)

    function checkFlat (what, key, factor) {
      const early = Math.max(...settled.slice(0, 2).map(look => look[key]))
      const late = Math.max(...settled.slice(-2).map(look => look[key]))
      const most = Math.round((factor - 1) * 100)
      check(`${what} flat (at most ${most} % more at the end: ${early.toFixed(1)} → ${late.toFixed(1)} MB)`, late <= early * factor)
    }
  }
}

/** @returns how many of its requests were badly answered */
async function takeTurn (send, random) {
  const id = random.integer(1, COUNTS.products)
  const categoryId = random.integer(1, COUNTS.categories)
  const filter = { where: { categoryId, price: { gt: random.integer(1, 50) } }, order: 'price DESC', limit: 20 }
  const answers = [
    await send('GET', `/${id}`),
    await send('GET', `?filter=${encodeURIComponent(JSON.stringify(filter))}`),
    await send('PATCH', `/${id}`, { stock: random.integer(1, 1000) })
  ]
  const created = await send('POST', '', makeProduct(random, random.integer(COUNTS.products, 999_999)))
  answers.push(created, await send('DELETE', `/${JSON.parse(created.text).id}`))
  return answers.filter(({ status }) => status !== 200).length
}

function sendTo (agent, port, method, path, body) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = text === undefined
    ? {}
    : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    request({ agent, port, host: '127.0.0.1', method, path, headers }, response => {
      let received = ''
      response.setEncoding('utf8')
      response.on('data', chunk => { received += chunk })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode, text: received }))
    }).on('error', reject).end(text)
  })
}
