import { readFileSync, readdirSync } from 'node:fs'

// What the operating system says about a process: processor time and memory, from /proc.

const TICKS_PER_SECOND = 100

function readStat (pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return undefined
  }
}

/** The process and everything it started, should a server be more than one process. */
export function processTree (root) {
  const parents = new Map()
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? readStat(entry) : undefined
    if (stat) parents.set(Number(entry), stat.parent)
  }
  const tree = [root]
  for (const pid of tree) {
    for (const [child, parent] of parents) if (parent === pid) tree.push(child)
  }
  return tree
}

/** User and system time of all threads of these processes, in microseconds (in steps of 10,000). */
export function processorTime (pids) {
  const ticks = pids.reduce((sum, pid) => sum + (readStat(pid)?.ticks ?? 0), 0)
  return ticks * 1e6 / TICKS_PER_SECOND
}

/** What each thread of a process has run, in nanoseconds; undefined where nothing is told, or the process has ended. */
function threadTimes (pid) {
  try {
    return new Map(readdirSync(`/proc/${pid}/task`).map(thread => [
      thread, Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0])
    ]))
  } catch {
    return undefined
  }
}

const lookAt = pid => ({ ticks: readStat(pid)?.ticks ?? 0, threads: threadTimes(pid) })

/** Microseconds between two looks at a process. */
function between (before, after) {
  const { threads: was = new Map(), ticks = 0 } = before ?? {}
  const { threads: is } = after
  // What a thread that has ended did is told in steps of 10 ms only.
  if (is === undefined || [...was.keys()].some(thread => !is.has(thread))) {
    return Math.max(0, after.ticks - ticks) * 1e6 / TICKS_PER_SECOND
  }
  return [...is].reduce((sum, [thread, time]) => sum + time - (was.get(thread) ?? 0), 0) / 1000
}

/**
 * Begins to count the processor time of processes, to the microsecond while none of their threads ends.
 * @param {number[]} pids
 * @returns {(now?: number[]) => number} the microseconds since then; of processes that are new among `now`, all of it
 */
export function startClock (pids) {
  const before = new Map(pids.map(pid => [pid, lookAt(pid)]))
  return (now = pids) => now.reduce((sum, pid) => sum + between(before.get(pid), lookAt(pid)), 0)
}

/** Resident memory of these processes in MB. */
export function residentMemory (pids) {
  return pids.reduce((sum, pid) => {
    const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    return sum + Number(line?.[1] ?? 0) / 1024
  }, 0)
}
