import { Agent, request } from 'node:http'

/** One request; undefined where no whole response came. */
export function ask (port, agent, method, path, body) {
  return new Promise(resolve => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        agent,
        method,
        path,
        headers: body === undefined ? {} : { 'content-type': 'application/json' }
      },
      answer => {
        let text = ''
        answer
          .setEncoding('utf8')
          .on('data', chunk => {
            text += chunk
          })
          .on('error', () => resolve(undefined))
          .on('end', () => {
            if (answer.complete) {
              resolve({ status: answer.statusCode, body: text === '' ? undefined : JSON.parse(text) })
            } else resolve(undefined)
          })
      }
    )
    sent.on('error', () => resolve(undefined))
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/**
 * Writes until the server is gone: creates, lists of creates, patches and deletes, of rows of its own.
 * @param {object} of `port`, `ledger`, `random` (seeded), `name` (begins every key), `onWrite` after each response
 * @returns {Promise<string[]>} what was answered otherwise than a write is
 */
export async function write ({ port, ledger, random, name, onWrite }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const rows = []
  const refused = []
  try {
    for (let i = 0; ; i++) {
      const key = `${name}-${i}`
      const size = random.integer(1, 1e9)
      const kind = rows.length === 0 ? 0 : random.integer(0, 9)
      const row = kind > 6 ? rows[random.integer(0, rows.length - 1)] : undefined
      let noted, answer
      if (kind <= 4) {
        noted = ledger.ask([key], size)
        answer = await ask(port, agent, 'POST', '/api/Entries', { key, size })
      } else if (kind <= 6) {
        const keys = [0, 1, 2, 3].map(part => `${key}.${part}`)
        noted = ledger.ask(keys, size)
        answer = await ask(port, agent, 'POST', '/api/Entries', keys.map(each => ({ key: each, size })))
      } else if (kind <= 8) {
        noted = ledger.ask([row.key], size)
        answer = await ask(port, agent, 'PATCH', `/api/Entries/${row.id}`, { size })
      } else {
        noted = ledger.ask([row.key], undefined)
        rows.splice(rows.indexOf(row), 1)
        answer = await ask(port, agent, 'DELETE', `/api/Entries/${row.id}`)
      }
      if (answer === undefined) return refused
      if (answer.status !== 200) {
        refused.push(`${answer.status} ${JSON.stringify(answer.body)}`)
        return refused
      }
      noted.acknowledged()
      onWrite()
      if (kind <= 4) rows.push({ key, id: answer.body.id })
    }
  } finally {
    agent.destroy()
  }
}
