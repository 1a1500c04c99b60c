import { userInfo } from 'node:os'
import t from 'tap'
import { userOf } from './user.js'

t.test('as psql has it', async t => {
  t.equal(userOf('ann', { PGUSER: 'ci' }), 'ann')
  t.equal(userOf(undefined, { PGUSER: 'ci' }), 'ci')
  t.equal(userOf(undefined, { PGUSER: '', USER: 'somebody' }), userInfo().username, 'whatever the environment says')
})
