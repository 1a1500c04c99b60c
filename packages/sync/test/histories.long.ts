/** 10,000 histories, for a release: half an hour. */
process.env.FASTBACK_SYNC_HISTORIES ??= '3300'
process.env.FASTBACK_SYNC_KILLED ??= '50'
await import('./histories.test.js')
