module.exports = require('#builtin-models').builtinDefinition('ACL')
