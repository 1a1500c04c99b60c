module.exports = require('#oauth2').oauth2Module
