'use strict'
module.exports = Crossing => {
  Crossing.who = async options => ({ client: options.accessToken.appId, userId: options.accessToken.userId })
  Crossing.remoteMethod('who', {
    accepts: { arg: 'options', type: 'object', http: 'optionsFromRequest' },
    returns: { arg: 'who', type: 'object', root: true },
    http: { verb: 'get' }
  })
}
