module.exports = require('../../../index.cjs').ACL
