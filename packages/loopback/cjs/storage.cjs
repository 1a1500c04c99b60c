module.exports = require('#storage').storageModule
