module.exports = require('../../../juggler.cjs').KeyValueMemory
