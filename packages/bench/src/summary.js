import { median, quantile } from './stats.js'

const ofServer = sample => sample.microseconds

/** The time of the database server counts, too, where there is one. */
const ofBoth = ({ microseconds, databaseMicroseconds }) => microseconds + (databaseMicroseconds || 0)

/** What `base` took over what `own` took, round by round. */
function ratios (base, own, timeOf = ofServer) {
  const ofRound = new Map(base.map(sample => [sample.round, timeOf(sample)]))
  return own
    .filter(({ round }) => ofRound.has(round))
    .map(sample => ofRound.get(sample.round) / timeOf(sample))
}

/** How far apart the ratios of the middle half of the rounds are: what noise does to one of them. */
function middleHalf (ratios) {
  const sorted = [...ratios].sort((a, b) => a - b)
  return quantile(sorted, 0.75) - quantile(sorted, 0.25)
}

/** What the turns of one round come to: all processor time over all requests; of the quantiles the median. */
export function sumOf (parts) {
  const requests = parts.reduce((sum, part) => sum + part.requests, 0)
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0)
  const weighed = key => parts.reduce((sum, part) => sum + part[key] * (part.requests - part.unanswered), 0) /
    parts.reduce((sum, part) => sum + part.requests - part.unanswered, 0)
  const failures = {}
  for (const part of parts) {
    for (const [status, times] of Object.entries(part.failures)) failures[status] = (failures[status] ?? 0) + times
  }
  return {
    ...parts.at(-1),
    requests,
    seconds,
    failures,
    unanswered: parts.reduce((sum, part) => sum + part.unanswered, 0),
    microseconds: weighed('microseconds'),
    databaseMicroseconds: weighed('databaseMicroseconds'),
    requestsPerSecond: requests / seconds,
    p50: median(parts.map(part => part.p50)),
    p99: median(parts.map(part => part.p99)),
    generator: parts.reduce((sum, part) => sum + part.generator * part.seconds, 0) / seconds
  }
}

/** The medians of every cell, and of the ratios of the same round to the reference and to Fastback. */
export function summarise (samples, servers, loads) {
  const at = (load, server) => samples.filter(sample => sample.load === load && sample.server === server)
  return loads.flatMap(load => servers.map(server => {
    const own = at(load, server)
    const together = ratios(at(load, servers[0]), own, ofBoth)
    const of = key => median(own.map(sample => sample[key]))
    return {
      load,
      server,
      microseconds: of('microseconds'),
      ratio: median(ratios(at(load, servers[0]), own)),
      // What counts for floors and targets: work that is moved to the database is not saved.
      ratioWithDatabase: median(together),
      middleHalf: middleHalf(together),
      lowestRatio: Math.min(...together),
      highestRatio: Math.max(...together),
      ofFastback: median(ratios(at(load, 'fastback'), own)),
      databaseMicroseconds: of('databaseMicroseconds'),
      togetherMicroseconds: median(own.map(ofBoth)),
      requestsPerSecond: of('requestsPerSecond'),
      memory: own.at(-1)?.memory,
      answered: own.at(-1)?.answered,
      p99: of('p99'),
      requests: own.reduce((sum, sample) => sum + sample.requests, 0),
      failures: own.reduce((sum, sample) => sum + Object.values(sample.failures).reduce((a, b) => a + b, 0), 0)
    }
  }))
}

/** What of the requests that were due must have been answered in time for a server to have kept up. */
const KEPT_UP = 0.99

/**
 * How many requests a second are 70 % (the share) of what the reference answered, by load.
 * @param {ReturnType<typeof summarise>} summary
 * @param {number} share
 * @param {string} reference
 * @returns {Map<string, number>}
 */
export function ratesOf (summary, share, reference) {
  return new Map(summary
    .filter(({ server, requestsPerSecond }) => server === reference && Number.isFinite(requestsPerSecond))
    .map(({ load, requestsPerSecond }) => [load, requestsPerSecond * share]))
}

/** Medians of the paced rounds: `p50`, `p99`, milliseconds from when a request was due; `lateP99` of the generator. */
export function summarisePaced (samples, servers, rates) {
  return [...rates].flatMap(([load, rate]) => servers.map(server => {
    const own = samples.filter(sample => sample.load === load && sample.server === server)
    const of = key => median(own.map(sample => sample[key]))
    const due = own.reduce((sum, { requests }) => sum + requests, 0)
    const answered = own.reduce((sum, { requests, unanswered }) => sum + requests - unanswered, 0)
    return {
      load, server, rate, p50: of('p50'), p99: of('p99'), lateP99: of('lateP99'), keptUp: answered >= due * KEPT_UP
    }
  }))
}
