import t from 'tap'
import { Alignment } from './alignment.js'
import { differences } from './difference.js'

const uuids = ['20533d10-e6d3-11f1-8cdf-659e60a541c2', '221ed550-e6d3-11f1-8cdf-659e60a541c2', '7d444840-9dc0-11d1-b245-5ffdce74fad2']
const [recorded, live, other] = uuids as [string, string, string]

const compare = (
  alignment: Alignment, method: string, path: string, sent: object | undefined, was: object, is: object
) => differences({
  number: 1,
  method,
  path,
  request: { headers: {}, ...(sent === undefined ? {} : { body: { json: sent } }) },
  response: { status: 200, headers: {}, body: { json: was } }
}, { status: 200, headers: {}, body: { json: is } }, { alignment, ignored: () => false, exactDates: false, hosts: ['a', 'a'] })

t.test('a UUID that a server makes is followed under whatever name', async t => {
  const alignment = new Alignment()
  t.same(compare(alignment, 'POST', '/Counters', {}, { key: recorded }, { key: live }), [])
  t.equal(alignment.path(`/Counters/${recorded}`), `/Counters/${live}`)
  t.same(compare(alignment, 'GET', `/Counters/${recorded}`, undefined, { key: recorded }, { key: live }), [])
  t.match(compare(alignment, 'POST', '/Counters', {}, { key: recorded }, { key: other }), [{ place: 'body:$.key' }], 'it is known')
  t.match(compare(new Alignment(), 'POST', '/Counters', { key: recorded }, { key: recorded }, { key: live }), [{}], 'it was sent')
  t.match(compare(new Alignment(), 'GET', '/Counters', undefined, [recorded], [live]), [{}], 'nothing is made by GET')
})
