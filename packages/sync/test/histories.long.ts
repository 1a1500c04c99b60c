/** 10,000 histories, for a release: minutes. */
process.env.FASTBACK_SYNC_HISTORIES ??= '3334'
await import('./histories.test.js')
