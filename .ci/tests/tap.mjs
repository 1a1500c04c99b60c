// What a compiled test has as `tap`: several files are tested in one process, each a subtest of it with what it set up
// and takes down itself.
import tap from 'tap'

/** The file that is tested now. Anyone who has imported it sees each new one. */
let current = tap

// Who else listens takes such errors for its own: a folder's code that throws while it is launched, for example.
process.on('uncaughtException', error => {
  if (process.listenerCount('uncaughtException') === 1) current.threw(error)
})

export { current as default }
export { Test } from 'tap'

/**
 * Tests one file, after those before it are done.
 * @param source its name in what is reported
 * @param address the URL of what is run
 * @param timeout milliseconds
 */
export async function testFile (source, address, timeout) {
  await tap.test(source, { timeout }, async t => {
    current = t
    await import(address)
  })
}
