/**
 * Milliseconds of the processor's time that some work takes. It stays the same on a machine that is busy with other
 * things, where the time on the clock does not.
 */
export function cpuTime (work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
