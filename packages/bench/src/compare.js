import { isDeepStrictEqual } from 'node:util'
import { encodeBody } from './connection.js'
import { LOADS } from './loads.js'
import { seedOf, seeded } from './random.js'
import { isGood } from './servers/index.js'

/** The requests of each load that are compared. */
export const TRIES = 12

async function ask (running, load, params) {
  const { method, path, headers, body } = running.server.request(load.id, params, running.context)
  const encoded = body === undefined ? undefined : encodeBody(body)
  const response = await fetch(running.url + path, {
    method,
    headers: { ...headers, ...(encoded === undefined ? {} : { 'content-type': encoded.type }) },
    body: encoded?.text
  })
  const text = await response.text()
  if (!isGood(running.server, load.id, response.status)) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return text
}

function firstDifference (wanted, got, at = '') {
  if (isDeepStrictEqual(wanted, got)) return undefined
  if (wanted === null || got === null || typeof wanted !== 'object' || typeof got !== 'object') {
    return `${at || 'the answer'} is ${JSON.stringify(got)?.slice(0, 80)} and not ${JSON.stringify(wanted)?.slice(0, 80)}`
  }
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
    const difference = firstDifference(wanted[key], got[key], at ? `${at}.${key}` : key)
    if (difference) return difference
  }
}

/** Whether two responses mean the same, and whether they are the same bytes, too. */
function compareAnswers ({ server }, load, wanted, got) {
  if (server.unanswered?.includes(load.id) || server.statuses?.[load.id] !== undefined) return 'no body'
  if (wanted === got) return 'bytes'
  const same = load.normalise ?? (answer => answer)
  const normalise = server.normalise ?? ((_, answer) => answer)
  const difference = firstDifference(same(JSON.parse(wanted)), same(normalise(load.id, JSON.parse(got))))
  if (difference) throw new Error(difference)
  return 'json'
}

/** The same requests to every server; what the first one answers is what the others should. */
async function compareLoad (servers, load, seed) {
  const random = seeded(seedOf(seed, 'compare', load.id))
  const findings = servers.map(({ name }) => ({ server: name, load: load.id, result: 'bytes' }))
  for (let n = 0; n < TRIES; n++) {
    const params = load.params(random)
    let wanted
    for (const [index, running] of servers.entries()) {
      const finding = findings[index]
      if (finding.reason) continue
      try {
        const got = await ask(running, load, params)
        wanted ??= got
        const result = compareAnswers(running, load, wanted, got)
        if (result !== 'bytes') finding.result = result
      } catch (error) {
        Object.assign(finding, { result: 'differs', reason: error.message })
        running.skipped.set(load.id, error.message)
      }
    }
  }
  return findings
}

/**
 * Compares every server with the first one before anything is timed. A load whose responses differ, or fail, is left
 * out for that server (`skipped`), with the reason.
 */
export async function compareServers (servers, options) {
  const chosen = LOADS.filter(load => options.loads.includes(load.id))
  // Those that add rows come last: in a memory store the rows stay.
  const loads = [...chosen.filter(load => !load.writes), ...chosen.filter(load => load.writes)]
  const findings = []
  for (const running of servers) running.skipped = new Map()
  for (const load of loads) {
    findings.push(...await compareLoad(servers, load, options.seed))
    if (load.writes) for (const { place } of servers) await place?.trim()
  }
  return findings
}
