export default function (Clock) {
  Clock.now = async () => new Date(0).toISOString()
  Clock.remoteMethod('now', { returns: { arg: 'now', type: 'string' }, http: { verb: 'get', path: '/now' } })
}
