'use strict'
module.exports = function (Note) {
  Note.once('attached', function (app) { app.set('attachedWith', Note.app === app && app.get('greeting')) })
  Note.shout = async () => Note.app.get('greeting').toUpperCase()
  Note.fail = async function () { throw Object.assign(new Error('as asked'), { statusCode: 409, code: 'ASKED', hint: 'safe' }) }
  Note.remoteMethod('fail', { http: { verb: 'get', path: '/fail' } })
  Note.upload = async function (req) {
    let size = 0
    for await (const chunk of req) size += chunk.length
    return { size, type: req.get('content-type') }
  }
  Note.remoteMethod('upload', { accepts: { arg: 'req', type: 'object', http: { source: 'req' } }, returns: { arg: 'got', type: 'object', root: true }, http: { verb: 'post', path: '/upload' } })
}
