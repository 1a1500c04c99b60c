'use strict'

const { handedIn } = require('../../src/open-sqlite.cjs')

// Another driver than Fastback's own choice is an open database that is handed in: `--driver`.
module.exports = handedIn('update')
