// Judges regular expressions in a worker: how the time of a match grows with the text's length.
// Answered: `degree`, 1 for linear, 2 for quadratic …, Infinity for exponential; none where it was not found out.
import { parentPort } from 'node:worker_threads'
import { createRequire } from 'node:module'
import vm from 'node:vm'

// The build of plain JavaScript: nothing native, and no process beside this one.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js')

/** Milliseconds for one expression. */
const timeout = 30_000
/** Expressions of larger automata are judged by tries: automata take minutes for some of them. */
const maxNFASize = 2_000
/** Milliseconds of a match that shows that a text found by tries is no attack: they count steps of their own engine. */
const harmless = 100

parentPort?.on('message', ({ source, flags }) => {
  parentPort.postMessage(judged(source, flags))
})

/** How one expression does: { degree, attack }, the attack as the checker writes it. */
export function judged (source, flags) {
  if (isEvidentlyLinear(source, flags)) return { degree: 1 }
  // "auto": by automata, and by tries with a fixed seed what automata do not know (assertions, references).
  const { status, complexity, attack } = checkSync(source, flags, { timeout, randomSeed: 1, maxNFASize })
  if (status === 'safe') return { degree: 1 }
  if (status !== 'vulnerable') return { degree: undefined }
  if (complexity.isFuzz && isHarmless(source, flags, attack.string)) return { degree: 1 }
  return { degree: complexity.type === 'exponential' ? Infinity : complexity.degree, attack: attack.pattern }
}

function isHarmless (source, flags, text) {
  try {
    vm.runInNewContext('expression.test(text)', { expression: new RegExp(source, flags), text }, { timeout: harmless })
    return true
  } catch {
    return false
  }
}

/**
 * Without a loop there is nothing to go back in. One loop over single characters, from the beginning of the text, ends
 * at one place at a time.
 */
function isEvidentlyLinear (source, flags) {
  const loops = source.match(/[*+]|\{\d+,\}/g)?.length ?? 0
  return loops === 0 || (loops === 1 && source.startsWith('^') && !flags.includes('m') && !/[|()]/.test(source))
}
