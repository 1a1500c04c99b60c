const { AccessContext, AccessRequest, Principal } = require('../../index.cjs')

module.exports = { AccessContext, AccessRequest, Principal, DEFAULT_SCOPES: ['DEFAULT'] }
