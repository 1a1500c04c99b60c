module.exports = require('../../../../dist/builtin-models.js').builtinDefinition('RoleMapping')
