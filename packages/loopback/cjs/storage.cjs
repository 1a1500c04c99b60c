module.exports = require('../dist/storage.js').storageModule
