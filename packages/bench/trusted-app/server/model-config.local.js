'use strict'

const settings = {
  Versioned: { version: true },
  Historied: { history: true },
  Keyed: { idempotency: true },
  Tagged: { version: true }
}

const entries = Object.entries(settings).map(([name, options]) => [name, { options }])

// The same folder twice: with the settings that the loads are about, and without them.
module.exports = process.env.BENCH_TRUSTED === 'true' ? Object.fromEntries(entries) : {}
