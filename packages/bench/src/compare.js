import { isDeepStrictEqual } from 'node:util'
import { LOADS } from './loads.js'
import { seedOf, seeded } from './random.js'
import { trim } from './runner.js'

const TRIES = 12

async function ask (running, load, params) {
  const { method, path, headers, body } = running.server.request(load.id, params, { token: running.token })
  const response = await fetch(running.url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body)
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
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

/** Sends the same requests to both and compares what they mean; true when the bytes were the same, too. */
async function compareLoad (reference, running, load, seed) {
  if (reference === running) {
    await ask(running, load, load.params(seeded(seed)))
    return true
  }
  const random = seeded(seedOf(seed, 'compare', load.id))
  const normalise = running.server.normalise ?? ((_, answer) => answer)
  let sameBytes = true
  for (let n = 0; n < TRIES; n++) {
    const params = load.params(random)
    const [wanted, got] = [await ask(reference, load, params), await ask(running, load, params)]
    if (running.server.unanswered?.includes(load.id)) {
      sameBytes = false
      continue
    }
    if (wanted === got) continue
    sameBytes = false
    const difference = firstDifference(JSON.parse(wanted), normalise(load.id, JSON.parse(got)))
    if (difference) throw new Error(difference)
  }
  return sameBytes
}

/**
 * Compares every server with the first one before anything is timed. A load whose answers differ, or fail, is left out
 * for that server (`skipped`), with the reason.
 */
export async function compareServers (servers, options) {
  const [reference, ...others] = servers
  const chosen = LOADS.filter(load => options.loads.includes(load.id))
  const loads = [...chosen.filter(load => !load.writes), ...chosen.filter(load => load.writes)]
  const findings = []
  for (const running of servers) running.skipped = new Map()
  for (const running of others.length ? others : [reference]) {
    for (const load of loads) {
      try {
        const sameBytes = await compareLoad(reference, running, load, options.seed)
        const nothing = running.server.unanswered?.includes(load.id)
        findings.push({ server: running.name, load: load.id, result: nothing ? 'no body' : sameBytes ? 'bytes' : 'json' })
      } catch (error) {
        running.skipped.set(load.id, error.message)
        findings.push({ server: running.name, load: load.id, result: 'differs', reason: error.message })
      }
      if (load.writes) for (const one of servers) trim(one)
    }
  }
  return findings
}
