module.exports = require('#builtin-models').builtinSetUp('ACL')
