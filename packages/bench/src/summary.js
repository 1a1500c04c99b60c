import { median } from './stats.js'

/** What `base` took over what `own` took, round by round. */
function ratios (base, own) {
  const ofRound = new Map(base.map(sample => [sample.round, sample.microseconds]))
  return own
    .filter(({ round }) => ofRound.has(round))
    .map(({ round, microseconds }) => ofRound.get(round) / microseconds)
}

/** The medians of every cell, and of the ratios of the same round to the reference and to Fastback. */
export function summarise (samples, servers, loads) {
  const at = (load, server) => samples.filter(sample => sample.load === load && sample.server === server)
  return loads.flatMap(load => servers.map(server => {
    const own = at(load, server)
    const toReference = ratios(at(load, servers[0]), own)
    const of = key => median(own.map(sample => sample[key]))
    return {
      load,
      server,
      microseconds: of('microseconds'),
      ratio: median(toReference),
      lowestRatio: Math.min(...toReference),
      highestRatio: Math.max(...toReference),
      timesFastback: median(ratios(own, at(load, 'fastback'))),
      requestsPerSecond: of('requestsPerSecond'),
      p99: of('p99'),
      requests: own.reduce((sum, sample) => sum + sample.requests, 0),
      failures: own.reduce((sum, sample) => sum + Object.values(sample.failures).reduce((a, b) => a + b, 0), 0)
    }
  }))
}
