module.exports = require('../dist/connector-soap.js').soapModule
