import { setTimeout as pause } from 'node:timers/promises'
import { logIn, makeUsers, tallyOf } from './logins.js'

const AT_ONCE = 32
const SECONDS = 20
/** Passwords are hashed beside the thread that answers, and never on all processors: others hardly wait. */
export const LOGINS_FACTOR = 2

/** As many logins as ever are under way, each after the one before it, each with a hash of a password. */
export default {
  name: 'logins-at-once',
  title: `${AT_ONCE} logins at once for ${SECONDS} s`,
  async run (target, { scale, say, check }) {
    await makeUsers(target.url, AT_ONCE)
    await pause(2000)
    const statuses = []
    const began = performance.now()
    const endsAt = began + SECONDS * scale * 1000
    async function logInAgain (i) {
      do statuses.push(await logIn(target.port, i, AT_ONCE))
      while (performance.now() < endsAt)
    }
    const others = await target.beside(async () => {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => logInAgain(i)))
    }, LOGINS_FACTOR)
    const seconds = (performance.now() - began) / 1000
    const { good, text } = tallyOf(statuses)
    say(`${statuses.length} logins in ${seconds.toFixed(1)} s, ${AT_ONCE} at once: ${good} let in${text}`)
    check('other requests', others)
    check('every login let in', good === statuses.length)
  }
}
