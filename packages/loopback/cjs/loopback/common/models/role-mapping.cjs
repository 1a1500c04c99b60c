module.exports = require('#builtin-models').builtinSetUp('RoleMapping')
