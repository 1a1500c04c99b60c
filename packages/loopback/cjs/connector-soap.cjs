module.exports = require('#connector-soap').soapModule
