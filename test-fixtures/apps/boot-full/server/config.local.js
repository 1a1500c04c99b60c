'use strict'
module.exports = { audience: { name: 'moon' } }
