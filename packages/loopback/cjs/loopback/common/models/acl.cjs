module.exports = require('../../../../dist/builtin-models.js').builtinSetUp('ACL')
