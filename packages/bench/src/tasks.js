import { DAY, FIRST_DAY, WORDS } from './data.js'
import { seeded } from './random.js'

// The data of the loads r1 and r2: rows of fifty users, of which one asks.

const TASKS = 10_000
const OWNERS = 50

/** Whose token the requests have: the first user that a server makes. */
const OWNER = 1

export const OWN_TASKS = TASKS / OWNERS

/** The id of one of the caller's own rows. @param {number} n from 1 to `OWN_TASKS` */
export const ownTaskId = n => n * OWNERS - OWNERS + OWNER

export const TASK_COLUMNS = ['id', 'title', 'body', 'isDone', 'priority', 'ownerId', 'createdAt']

const text = (random, count) => Array.from({ length: count }, () => random.pick(WORDS)).join(' ')

/** 10,000 tasks of 50 users, one of each in turn. */
export function makeTasks () {
  const random = seeded(1)
  const tasks = Array.from({ length: TASKS }, (_, i) => ({
    id: i + 1,
    title: `${text(random, 2)} ${i + 1}`,
    body: text(random, 12),
    isDone: random.next() < 0.3,
    priority: random.integer(1, 5),
    ownerId: i % OWNERS + 1,
    createdAt: new Date(FIRST_DAY + random.integer(0, 3650) * DAY + random.integer(0, DAY - 1)).toISOString()
  }))
  return { Task: tasks }
}
