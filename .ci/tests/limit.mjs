// In each test's process: ends it when it takes far too long. tap asks a file that hangs to end, by SIGTERM, and waits
// for ever when it goes on waiting itself for what does not come.
const limit = Number(process.env.FASTBACK_TEST_LIMIT)

setTimeout(() => {
  console.error(`Ended after ${limit / 1000} s: it waits for what does not come.`)
  process.exit(1)
}, limit).unref()
