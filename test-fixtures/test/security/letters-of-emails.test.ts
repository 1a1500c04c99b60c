/** What an e-mail is made of: S-176. */
import t from 'tap'
import { call, makeApp, person } from '../../../packages/auth/test/app.js'

t.test('S-176 an e-mail has no control characters', async t => {
  // Seen to fail: auth/user/validations.ts without \p{Cc}: an address of evil.test, a NUL, and another domain
  const app = await makeApp(t)
  for (const email of [
    'a@x.test\0', '\0a@x.test', 'a\0@x.test', 'a@evil.test\0.shop.test', 'a@x.test\u0007', 'a@x\u007f.test', 'a@x.test\u0085',
    'a@x.test\u009f', 'a@x.test\r\nbcc: b@x.test', 'a@x.test\u2028'
  ]) {
    const what = encodeURIComponent(email)
    t.equal((await call(app, 'POST', '/Users', person('ann', { email }))).status, 422, what)
    await t.rejects(app.models.User.create(person('ann', { email })), { statusCode: 422 } as unknown as Error, what)
  }
  for (const email of ['a@x.test', 'ä.b+c@köln.test', 'ann@localhost', '用户@例子.广告']) {
    t.equal((await call(app, 'POST', '/Users', person(`n${email}`, { email }))).status, 200, email)
  }
})

t.test('S-176 nor characters that nobody sees, nor encoded words', async t => {
  // Seen to fail: auth/user/validations.ts without \p{Cf} and the look ahead
  const app = await makeApp(t)
  for (const email of [
    'a\u200b@x.test', 'a@x.test\u00ad', 'a@\u202etset.x', '\u2066a@x.test', 'a@x\ufeff.test', '=?utf-8?q?a=40evil.test=3e=00?=@x.test',
    'a=?utf-8?b?QA==?=@x.test', 'a@=?utf-8?q?x?=.test'
  ]) {
    t.equal((await call(app, 'POST', '/Users', person('ann', { email }))).status, 422, encodeURIComponent(email))
  }
  for (const email of ['a=b@x.test', 'a?b@x.test', 'bounce=ann=x.test@y.test']) {
    t.equal((await call(app, 'POST', '/Users', person(`n${email}`, { email }))).status, 200, email)
  }
})
