module.exports = require('#builtin-models').builtinDefinition('RoleMapping')
